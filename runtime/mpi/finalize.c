/* SPDX-License-Identifier: MIT */
/*
 * MPI_Finalize for C, and for Fortran under all names that compilers give it, as Fortran's own
 * MPI_Finalize does not call that of C.
 */
#include <mpi.h>
#include <stddef.h>

#include "collect.h"

#define PUBLIC __attribute__((visibility("default")))

PUBLIC int MPI_Finalize(void)
{
	collect_profiles();
	return PMPI_Finalize();
}

PUBLIC void mpi_finalize_(MPI_Fint *error);

/* The argument is optional in mpi_f08. */
PUBLIC void mpi_finalize_(MPI_Fint *error)
{
	int done = MPI_Finalize();

	if (error)
		*error = (MPI_Fint)done;
}

PUBLIC void mpi_finalize(MPI_Fint *error) __attribute__((alias("mpi_finalize_")));
PUBLIC void mpi_finalize__(MPI_Fint *error) __attribute__((alias("mpi_finalize_")));
PUBLIC void mpi_finalize_f08_(MPI_Fint *error) __attribute__((alias("mpi_finalize_")));
PUBLIC void MPI_FINALIZE(MPI_Fint *error) __attribute__((alias("mpi_finalize_")));
