-- The hour that is being packed, cut into devices: any server takes a piece, and the hour is over when none is left.
create table pack_piece (
  hour         bigint not null,
  from_device  bigint not null,
  -- Not included.
  until_device bigint not null,
  primary key (hour, from_device)
);
-- Whether the hour of the state is cut. next_device says where an earlier version had come to.
alter table pack_state add column is_cut boolean not null default false;
