-- The zone whose days totals are counted by; '' is that of the server.
alter table setting add column time_zone text not null default '';
