--  SPDX-License-Identifier: GPL-3.0-or-later
--
--  True counts of an Ada program: nested subprograms, recursion, a generic.

with Ada.Text_IO; use Ada.Text_IO;

procedure Languages is

   type Count is range 0 .. 2 ** 40;

   Squares, Depths : Count := 0;
   Sum             : Count := 0;

   function Square (X : Count) return Count;
   pragma No_Inline (Square);

   function Square (X : Count) return Count is
   begin
      Squares := Squares + 1;
      return X * X;
   end Square;

   procedure Depth (N : Count);
   pragma No_Inline (Depth);

   procedure Depth (N : Count) is
   begin
      Depths := Depths + 1;
      if N > 0 then
         Depth (N - 1);
      end if;
      Sum := Sum + 1;
   end Depth;

   generic
      Step : Count;
   function Shifted (X : Count) return Count;

   function Shifted (X : Count) return Count is
   begin
      return Square (X + Step) + Square (X);
   end Shifted;

   function By_One is new Shifted (1);
   pragma No_Inline (By_One);

   procedure Tell (Arc : String; N : Count) is
   begin
      Put_Line ("ARC " & Arc & Count'Image (N));
   end Tell;

begin
   for I in Count range 1 .. 3000 loop
      Sum := Sum + By_One (I) + Square (I) mod 7;
   end loop;
   Depth (40);
   Tell ("_ada_languages languages__by_one", 3000);
   Tell ("languages__by_one languages__square", 6000);
   Tell ("_ada_languages languages__square", Squares - 6000);
   Tell ("_ada_languages languages__depth", 1);
   Tell ("languages__depth languages__depth", Depths - 1);
end Languages;
