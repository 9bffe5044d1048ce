-- How long a running part will take, as its worker has measured it: what a job has for recognition.
-- A column of its own, since only the worker knows when the part came further.
ALTER TABLE analyses ADD COLUMN seconds_left DOUBLE PRECISION;
