-- The demo fleet (issue 7): that it is there, what belongs to it, and the figures that it stands in for.

create table demo (
  id        smallint primary key default 1 check (id = 1),
  -- The job that loads or removes it; '': not begun.
  job_id    text not null default '',
  -- Everything is there.
  complete  boolean not null default false,
  removing  boolean not null default false,
  -- ms; figures of the large screen from then on are those of the demo. 0: none were written.
  from_at   bigint not null default 0,
  loaded_at bigint not null default 0
);
-- Products bring their devices, models, packages and runs with them; the rest is named one by one.
create table demo_item (
  kind text not null check (kind in ('product', 'group', 'scene', 'alarm')),
  id   text not null,
  primary key (kind, id)
);
-- Samples and counts of minutes from before, put back when the demo goes.
create table demo_sample (like home_sample including all);
create table demo_message (like home_message including all);
