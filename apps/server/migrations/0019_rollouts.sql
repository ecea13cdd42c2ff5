-- When somebody asked for another try of a run that was over (ms): what ended before says nothing about this one.
alter table rollout add column reopened_at bigint not null default 0;
-- Runs whose waiting devices are all away: nothing is to be done, however many there are.
create index rollout_device_away on rollout_device (run_id) where state = 1 and due_at >= 9000000000000000;
