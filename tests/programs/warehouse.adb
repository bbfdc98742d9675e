--  SPDX-License-Identifier: GPL-3.0-or-later
--
--  A queue and a search tree: generic packages, nested and overloaded subprograms, exceptions, operators.

with Ada.Command_Line;
with Ada.Text_IO; use Ada.Text_IO;

procedure Warehouse is

   type Weight is range 0 .. 2 ** 40;

   Full : exception;

   generic
      type Element is private;
      Size : Positive;
   package Queues is
      type Queue is limited private;
      procedure Put (Q : in out Queue; E : Element);
      procedure Get (Q : in out Queue; E : out Element);
      function Length (Q : Queue) return Natural;
   private
      type Store is array (0 .. Size - 1) of Element;
      type Queue is limited record
         Items : Store;
         First, Count : Natural := 0;
      end record;
   end Queues;

   package body Queues is
      procedure Put (Q : in out Queue; E : Element) is
      begin
         if Q.Count = Size then
            raise Full;
         end if;
         Q.Items ((Q.First + Q.Count) mod Size) := E;
         Q.Count := Q.Count + 1;
      end Put;

      procedure Get (Q : in out Queue; E : out Element) is
      begin
         E := Q.Items (Q.First);
         Q.First := (Q.First + 1) mod Size;
         Q.Count := Q.Count - 1;
      end Get;

      function Length (Q : Queue) return Natural is (Q.Count);
   end Queues;

   package Weight_Queues is new Queues (Weight, 64);
   package Index_Queues is new Queues (Integer, 16);

   type Box is record
      Content : Weight;
      Number  : Integer;
   end record;

   function "+" (A, B : Box) return Box is
     (Content => A.Content + B.Content, Number => A.Number + B.Number);

   function Digits_Of (W : Weight) return Natural is
     (if W < 10 then 1 else 1 + Digits_Of (W / 10));

   Incoming : Weight_Queues.Queue;
   Numbers  : Index_Queues.Queue;
   Overflow : Natural := 0;
   Total    : Box := (0, 0);
   Rounds   : Positive := 1;

   procedure Store (W : Weight) is
      procedure Store (N : Integer) is
      begin
         Index_Queues.Put (Numbers, N);
      exception
         when Full => Overflow := Overflow + 1;
      end Store;
   begin
      Weight_Queues.Put (Incoming, W);
      Store (Digits_Of (W));
   end Store;

   procedure Ship is
      W : Weight;
      N : Integer := 0;
   begin
      while Weight_Queues.Length (Incoming) > 0 loop
         Weight_Queues.Get (Incoming, W);
         if Index_Queues.Length (Numbers) > 0 then
            Index_Queues.Get (Numbers, N);
         end if;
         Total := Total + (W mod 1000, N);
      end loop;
   end Ship;

begin
   if Ada.Command_Line.Argument_Count > 0 then
      Rounds := Positive'Value (Ada.Command_Line.Argument (1));
   end if;
   for I in 1 .. 80_000 * Rounds loop
      for J in 1 .. I mod 19 loop
         Store (Weight (I) * Weight (J) * 7919);
      end loop;
      Ship;
   end loop;
   Put_Line (Weight'Image (Total.Content) & Natural'Image (Overflow));
end Warehouse;
