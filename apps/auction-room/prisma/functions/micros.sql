-- Microseconds since 1970, as instants are stored.
CREATE FUNCTION "micros"("at" timestamptz) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
  SELECT (extract(epoch FROM "at") * 1000000)::bigint
$$;
