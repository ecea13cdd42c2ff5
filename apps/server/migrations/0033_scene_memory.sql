-- What triggers that count or keep a distance remember of a device, for whichever server it speaks to next. Written by
-- cells of several servers only.
create table scene_memory (
  device_id  bigint not null references device (device_id) on delete cascade,
  scene_id   integer not null references scene (id) on delete cascade,
  trigger_no smallint not null,
  -- Of the scene: an edited one begins anew.
  rev        integer not null,
  -- ms; 0: never.
  last_fired bigint not null,
  -- When it was true lately, ms.
  hits       bigint[] not null,
  primary key (device_id, scene_id, trigger_no)
);
create index scene_memory_scene on scene_memory (scene_id);
