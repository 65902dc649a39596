-- Refuses to change or delete a row of the log, by a service or by hand. Only the owner of the table can remove the triggers.
CREATE FUNCTION audit_is_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the table audit is append-only: % refused', TG_OP;
END;
$$;
