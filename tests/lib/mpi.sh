# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh
# Sourced by the scripts that run programs of MPI: more ranks than processors, by root if that is who tests, on this
# machine alone.

OMPI_ALLOW_RUN_AS_ROOT=1
OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
OMPI_MCA_rmaps_base_oversubscribe=1
# The same for Open MPI 5.
PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe
OMPI_MCA_hwloc_base_binding_policy=none
OMPI_MCA_btl=self,vader
OMPI_MCA_plm=isolated
# Ranks that wait leave the processor to others.
OMPI_MCA_mpi_yield_when_idle=1
OMPI_CC=${CC:-cc}
export OMPI_ALLOW_RUN_AS_ROOT OMPI_ALLOW_RUN_AS_ROOT_CONFIRM OMPI_MCA_rmaps_base_oversubscribe \
	PRTE_MCA_rmaps_default_mapping_policy \
	OMPI_MCA_hwloc_base_binding_policy OMPI_MCA_btl OMPI_MCA_plm OMPI_MCA_mpi_yield_when_idle OMPI_CC

# Whether programs of MPI can be built and run.
has_mpi() {
	command -v mpicc >/dev/null && command -v mpirun >/dev/null
}
