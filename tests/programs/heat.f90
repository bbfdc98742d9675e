! SPDX-License-Identifier: GPL-3.0-or-later
!
! Heat in a plate: a module, contained and recursive procedures, operators, arrays with bounds.
module plate
  implicit none
  integer, parameter :: real_kind = kind(1.0d0)

  type :: grid
    integer :: n
    real(real_kind), allocatable :: cell(:, :)
  end type grid

  interface operator(+)
    module procedure add_grids
  end interface operator(+)

contains

  subroutine make(g, n)
    type(grid), intent(out) :: g
    integer, intent(in) :: n
    g%n = n
    allocate (g%cell(0:n + 1, 0:n + 1))
    g%cell = 0
    g%cell(0, :) = 100
  end subroutine make

  pure function laplace(g, i, j) result(v)
    type(grid), intent(in) :: g
    integer, intent(in) :: i, j
    real(real_kind) :: v
    v = g%cell(i - 1, j) + g%cell(i + 1, j) + g%cell(i, j - 1) + g%cell(i, j + 1) - 4*g%cell(i, j)
  end function laplace

  subroutine step(g, rate)
    type(grid), intent(inout) :: g
    real(real_kind), intent(in) :: rate
    integer :: i, j
    do j = 1, g%n
      do i = 1, g%n
        g%cell(i, j) = g%cell(i, j) + rate*laplace(g, i, j)
      end do
    end do
  end subroutine step

  function add_grids(a, b) result(c)
    type(grid), intent(in) :: a, b
    type(grid) :: c
    call make(c, a%n)
    c%cell = a%cell + b%cell
  end function add_grids

  recursive function total(g, low, high) result(sum)
    type(grid), intent(in) :: g
    integer, intent(in) :: low, high
    real(real_kind) :: sum
    if (low == high) then
      sum = column_sum(low)
    else
      sum = total(g, low, (low + high)/2) + total(g, (low + high)/2 + 1, high)
    end if
  contains
    function column_sum(j) result(s)
      integer, intent(in) :: j
      real(real_kind) :: s
      integer :: i
      s = 0
      do i = 1, g%n
        s = s + g%cell(i, j)
      end do
    end function column_sum
  end function total

end module plate

program heat
  use plate
  implicit none
  type(grid) :: a, b, c
  integer :: i, rounds
  character(len=16) :: arg

  rounds = 1
  if (command_argument_count() > 0) then
    call get_command_argument(1, arg)
    read (arg, *) rounds
  end if
  call make(a, 100)
  call make(b, 100)
  do i = 1, 400*rounds
    call step(a, 0.1d0)
    if (mod(i, 4) == 0) call step(b, 0.05d0)
  end do
  c = a + b
  print '(f12.3)', total(c, 1, c%n)
end program heat
