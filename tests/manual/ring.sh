# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh
cat >ring.c <<'END'
#include <mpi.h>

static volatile double value;

void relax(int cells)
{
        for (int i = 0; i < cells; i++)
                value = value * 0.5 + i;
}

int main(void)
{
        int rank;

        MPI_Init(NULL, NULL);
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        for (int step = 0; step < 10; step++)
                relax(rank == 2 ? 800000 : 400000);
        MPI_Finalize();
        return 0;
}
END
