-- Reads the number of the tender out of the state of an auction. An auction whose state cannot be read has no number, and can
-- be changed all the same.
CREATE FUNCTION "auction_has_number"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF pg_input_is_valid(NEW."state", 'json') THEN
    NEW."number" := NEW."state"::json #>> '{plan,facts,tenderID}';
  END IF;
  RETURN NEW;
END;
$$;
