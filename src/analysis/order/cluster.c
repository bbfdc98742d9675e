/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Clusters are lists of functions, each of which begins with its leader. Functions are taken in the
 * order of falling density, and the cluster of each is appended to that of its most frequent
 * caller:
 *
 *      function   samples   bytes   density   caller    clusters after its turn
 *      inner           80      16      5       solve     [solve inner] [main] [log] [fail]
 *      solve           40      40      1       main      [main solve inner] [log] [fail]
 *      main             1     100      0.01
 *      log              2     200      0.01    solve     [main solve inner log] [fail]
 *      fail             0    4000      0       main      the same: [main ... log] has a density of
 *                                                        0.35, which fail would take to 0.03
 */
#include "config.h"

#include "analysis/order/cluster.h"

#include "base/sort.h"

/* Limits of two clusters that are joined. */
enum { MOST_BYTES = 1024 * 1024, LEAST_SHARE = 8 /* an eighth of the density */ };

/* A function; in a leader, `weight` and `bytes` are those of its whole cluster. */
struct cluster {
	double weight, bytes;
	sym_id leader; /* a function nearer to the leader; a leader has itself */
	sym_id next;   /* the next function in the cluster; SYM_NONE: the last */
	sym_id last;   /* in a leader: the last function in the cluster */
};

static double cluster_density(const struct cluster *c)
{
	return c->weight / c->bytes;
}

static uint64_t cluster_calls(const struct analysis *a, sym_id s)
{
	return a->costs.calls.outer[s] + a->costs.calls.self[s];
}

static bool cluster_has_samples(const struct analysis *a)
{
	for (sym_id s = 0; s < a->graph.nnodes; s++) {
		if (a->costs.self[s] > 0.0)
			return true;
	}
	return false;
}

/* Whether a function was sampled, was called, or called others. */
static bool cluster_is_used(const struct analysis *a, sym_id s)
{
	if (a->costs.self[s] > 0.0 || cluster_calls(a, s) > 0)
		return true;
	for (uint32_t i = a->graph.out[s]; i < a->graph.out[s + 1]; i++) {
		if (a->graph.arc[i].ncalls > 0)
			return true;
	}
	return false;
}

static int cluster_denser(uint32_t x, uint32_t y, const void *clusters)
{
	const struct cluster *c = clusters;
	double dx = cluster_density(&c[x]), dy = cluster_density(&c[y]);

	return (dx < dy) - (dx > dy);
}

/* Makes a cluster of each function, and lists those that were used, by address, in `used`; returns
 * how many these are. */
static uint32_t cluster_begin(const struct analysis *a, struct cluster *clusters, sym_id *used)
{
	bool has_samples = cluster_has_samples(a);
	uint32_t n = 0;

	for (sym_id s = 0; s < a->graph.nnodes; s++) {
		const struct sym *sym = &a->program->symtab.sym[s];

		clusters[s] = (struct cluster){
			.weight = has_samples ? a->costs.self[s] : (double)cluster_calls(a, s),
			.bytes = sym->hi > sym->lo ? (double)(sym->hi - sym->lo) : 1.0,
			.leader = s,
			.next = SYM_NONE,
			.last = s,
		};
		if (cluster_is_used(a, s))
			used[n++] = s;
	}
	return n;
}

/* Returns the leader, and halves the path to it for later searches. */
static sym_id cluster_leader(struct cluster *clusters, sym_id s)
{
	while (clusters[s].leader != s) {
		clusters[s].leader = clusters[clusters[s].leader].leader;
		s = clusters[s].leader;
	}
	return s;
}

/*
 * Returns the other function that calls s most often; of several, the one whose arc comes last in
 * the data. SYM_NONE: none.
 */
static sym_id cluster_caller(const struct graph *graph, sym_id s)
{
	sym_id best = SYM_NONE;
	uint64_t most = 0;

	for (uint32_t i = graph->in[s]; i < graph->in[s + 1]; i++) {
		const struct arc *arc = &graph->arc[graph->in_arc[i]];

		if (arc->from == s || arc->ncalls <= most)
			continue;
		best = arc->from;
		most = arc->ncalls;
	}
	return best;
}

/*
 * Appends the cluster of `callee` to that of `caller` if both stay within the limits; both are
 * leaders.
 */
static void cluster_append(struct cluster *clusters, sym_id caller, sym_id callee)
{
	struct cluster *to = &clusters[caller], *more = &clusters[callee];
	struct cluster both = { .weight = to->weight + more->weight,
				.bytes = to->bytes + more->bytes };

	if (both.bytes > MOST_BYTES || cluster_density(&both) * LEAST_SHARE < cluster_density(to))
		return;
	clusters[to->last].next = callee;
	to->last = more->last;
	to->weight = both.weight;
	to->bytes = both.bytes;
	more->leader = caller;
}

uint32_t cluster_list(const struct analysis *a, sym_id *list, const struct arena *mem)
{
	struct arena scratch = arena_scratch(mem);
	struct cluster *clusters = arena_array(&scratch, struct cluster, a->graph.nnodes);
	sym_id *order = arena_array(&scratch, sym_id, a->graph.nnodes);
	uint32_t n = cluster_begin(a, clusters, order), nleaders = 0, nlisted = 0;

	sort_ids(order, n, cluster_denser, clusters, &scratch);
	for (uint32_t i = 0; i < n; i++) {
		sym_id caller = cluster_caller(&a->graph, order[i]), to, more;

		if (caller == SYM_NONE)
			continue;
		to = cluster_leader(clusters, caller);
		more = cluster_leader(clusters, order[i]);
		if (to != more)
			cluster_append(clusters, to, more);
	}
	for (sym_id s = 0; s < a->graph.nnodes; s++) {
		if (clusters[s].leader == s && cluster_is_used(a, s))
			order[nleaders++] = s;
	}
	sort_ids(order, nleaders, cluster_denser, clusters, &scratch);
	for (uint32_t i = 0; i < nleaders; i++) {
		for (sym_id s = order[i]; s != SYM_NONE; s = clusters[s].next)
			list[nlisted++] = s;
	}
	arena_free(&scratch);
	return nlisted;
}

/* Costs by which functions are sorted: samples per byte, then calls per byte. */
struct cluster_costs {
	const struct cluster *clusters;
	const struct analysis *a;
};

static int cluster_costlier(uint32_t x, uint32_t y, const void *context)
{
	const struct cluster_costs *costs = context;
	const struct cluster *c = costs->clusters;
	double tx = costs->a->costs.self[x] / c[x].bytes, ty = costs->a->costs.self[y] / c[y].bytes;
	double nx = (double)cluster_calls(costs->a, x) / c[x].bytes;
	double ny = (double)cluster_calls(costs->a, y) / c[y].bytes;

	return tx != ty ? (tx < ty) - (tx > ty) : (nx < ny) - (nx > ny);
}

uint32_t cluster_list_by_time(const struct analysis *a, sym_id *list, const struct arena *mem)
{
	struct arena scratch = arena_scratch(mem);
	struct cluster *clusters = arena_array(&scratch, struct cluster, a->graph.nnodes);
	uint32_t n = cluster_begin(a, clusters, list);

	sort_ids(list, n, cluster_costlier, &(struct cluster_costs){ clusters, a }, &scratch);
	arena_free(&scratch);
	return n;
}
