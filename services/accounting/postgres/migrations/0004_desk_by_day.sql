-- The books begin with the first day that has anything in it: asked for whenever something is entered.
CREATE INDEX desk_by_day ON desk (gaming_day);
