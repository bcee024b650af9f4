-- How staff describe a buyer where no patron is known.
ALTER TABLE cash ADD COLUMN note text COLLATE "C" NOT NULL DEFAULT '';
