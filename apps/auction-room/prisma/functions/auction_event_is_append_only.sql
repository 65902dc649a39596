-- Refuses to change or delete an event of an auction, by the room or by hand. Only the owner of the table can remove the triggers.
CREATE FUNCTION "auction_event_is_append_only"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the table auction_event is append-only: % refused', TG_OP;
END;
$$;
