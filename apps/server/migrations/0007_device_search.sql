-- Finding devices by words and tags among a million (goals.md "Lists"). Both lie beside the devices: a device that
-- connects or disconnects is written anew, with all its indexes, and must not pay for those of words it does not change.

-- The shape of a text: lower case, each run of digits as one 0. Thousands of names that differ in a number have one
-- shape, so the few shapes are searched instead of a million names. A word without digits is in a text exactly when it
-- is in its shape; a word with digits can only be where its own shape is.
create function text_shape(words text) returns text language sql immutable strict parallel safe
  return regexp_replace(lower(words), '[0-9]+', '0', 'g');

-- Field 1: names, 2: aliases. A shape stays when its last device goes: it finds nothing then.
create table device_shape (
  field smallint not null,
  shape text not null,
  primary key (field, shape)
);
-- Trigrams know letters and digits of ASCII only (the database is in the C locale); single characters serve the rest.
create index device_shape_trgm on device_shape using gin (shape gin_trgm_ops);
create index device_shape_chars on device_shape using gin (string_to_array(shape, null));

-- No foreign keys, as the triggers below are the only writers.
create table device_text (
  device_id   bigint primary key,
  product_id  text not null,
  name        text not null,
  alias       text not null,
  name_shape  text not null,
  alias_shape text not null
);
insert into device_text
select device_id, product_id, lower(device_name), lower(device_alias), text_shape(device_name), text_shape(device_alias)
from device order by device_id;
insert into device_shape select distinct 1, name_shape from device_text union select distinct 2, alias_shape from device_text;
-- With what is asked for beside the shape, so that matches are counted without their rows.
create index device_text_name on device_text (name_shape, device_id) include (product_id, name);
create index device_text_alias on device_text (alias_shape, device_id) include (product_id, alias);
create index device_text_name_trgm on device_text using gin (name gin_trgm_ops);
create index device_text_alias_trgm on device_text using gin (alias gin_trgm_ops);

create table device_tag (
  key       text not null,
  value     text not null,
  device_id bigint not null,
  primary key (key, value, device_id)
);
insert into device_tag
select distinct tag ->> 'key', tag ->> 'value', device_id from device cross join jsonb_array_elements(tags) tag
order by 1, 2, 3;

drop index device_name_trgm, device_alias_trgm, device_tags;

-- New shapes are rare. Whoever has one waits for others who have, so that no two wait for each other's.
create function device_shape_learn(names text[], aliases text[]) returns void language plpgsql as $$
begin
  if exists (
    select 1, name from unnest(names) name union all select 2, alias from unnest(aliases) alias
    except select field, shape from device_shape
    where (field = 1 and shape = any (names)) or (field = 2 and shape = any (aliases))
  ) then
    perform pg_advisory_xact_lock(7201107);
    insert into device_shape select 1, name from unnest(names) name union select 2, alias from unnest(aliases) alias
    on conflict do nothing;
  end if;
end $$;
create function device_found() returns trigger language plpgsql as $$
begin
  insert into device_text
  select device_id, product_id, lower(device_name), lower(device_alias), text_shape(device_name), text_shape(device_alias)
  from new_rows;
  perform device_shape_learn(array(select distinct text_shape(device_name) from new_rows),
    array(select distinct text_shape(device_alias) from new_rows));
  insert into device_tag
  select distinct tag ->> 'key', tag ->> 'value', device_id from new_rows cross join jsonb_array_elements(tags) tag
  order by 1, 2, 3;
  return null;
end $$;
create function device_lost() returns trigger language plpgsql as $$
begin
  delete from device_text using old_rows where device_text.device_id = old_rows.device_id;
  delete from device_tag using old_rows cross join jsonb_array_elements(old_rows.tags) tag
  where device_tag.key = tag ->> 'key' and device_tag.value = tag ->> 'value'
    and device_tag.device_id = old_rows.device_id;
  return null;
end $$;
create trigger device_found after insert on device
  referencing new table as new_rows for each statement execute function device_found();
create trigger device_lost after delete on device
  referencing old table as old_rows for each statement execute function device_lost();

-- Of updates only those that change a word or a tag are told: row by row, because only such triggers can choose.
create function device_renamed() returns trigger language plpgsql as $$
begin
  update device_text set product_id = new.product_id, name = lower(new.device_name), alias = lower(new.device_alias),
    name_shape = text_shape(new.device_name), alias_shape = text_shape(new.device_alias)
  where device_id = new.device_id;
  perform device_shape_learn(array[text_shape(new.device_name)], array[text_shape(new.device_alias)]);
  return null;
end $$;
create function device_retagged() returns trigger language plpgsql as $$
begin
  delete from device_tag using jsonb_array_elements(old.tags) tag
  where device_tag.key = tag ->> 'key' and device_tag.value = tag ->> 'value' and device_tag.device_id = new.device_id;
  insert into device_tag
  select distinct tag ->> 'key', tag ->> 'value', new.device_id from jsonb_array_elements(new.tags) tag;
  return null;
end $$;
create trigger device_renamed after update of product_id, device_name, device_alias on device for each row
  when ((old.product_id, old.device_name, old.device_alias) is distinct from (new.product_id, new.device_name, new.device_alias))
  execute function device_renamed();
create trigger device_retagged after update of tags on device for each row
  when (old.tags is distinct from new.tags) execute function device_retagged();
