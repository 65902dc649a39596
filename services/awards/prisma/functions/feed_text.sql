-- A stamp as clients see it in dateModified: time zone of the service, six digits, 32 characters.
CREATE FUNCTION feed_text(stamp BIGINT) RETURNS TEXT LANGUAGE sql STABLE SET timezone = 'Europe/Kyiv' AS $$
    SELECT to_char(timestamptz 'epoch' + stamp * interval '1 microsecond', 'YYYY-MM-DD"T"HH24:MI:SS.USTZH:TZM')
$$;
