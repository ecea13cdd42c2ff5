-- Which server (its number) wrote the newest values of a device. Another one that writes compares times first: a device
-- may have moved, and what the old server still holds is older. -1: unknown; -2 - number: that one, which compared.
alter table device_latest add column flushed_by integer not null default -1;

-- Of two values of a property the newer one, by the rule of LatestValues.put: [value, time, stated, received], the last
-- two left out where nothing was stated.
create function newer_latest(held jsonb, stored jsonb) returns jsonb language sql immutable parallel safe as $$
  select case
    when stored is null then held
    when coalesce((held ->> 2)::bigint, 0) < coalesce((stored ->> 2)::bigint, 0)
      and least((held ->> 1)::bigint, coalesce((held ->> 3)::bigint, (held ->> 1)::bigint)) = coalesce((held ->> 2)::bigint, 0)
      then stored
    when coalesce((held ->> 3)::bigint, (held ->> 1)::bigint) < coalesce((stored ->> 3)::bigint, (stored ->> 1)::bigint)
      then stored
    when coalesce((stored ->> 2)::bigint, 0) > coalesce((held ->> 2)::bigint, 0)
      then jsonb_build_array(held -> 0, held -> 1, stored -> 2, coalesce(held -> 3, held -> 1))
    else held
  end
$$;
create function merge_latest(stored jsonb, held jsonb) returns jsonb language sql immutable parallel safe as $$
  select stored || coalesce((select jsonb_object_agg(key, newer_latest(value, stored -> key)) from jsonb_each(held)), '{}')
$$;
