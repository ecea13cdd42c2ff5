-- Notices that become due while nothing raises the alarm (alarms/tell-standing.ts): the first in time of each alarm, of
-- those nobody was told of since they opened, and of the others.
create index alarm_record_untold on alarm_record (alarm_id, dealt_at) where deal_state = 2 and notified_at < first_alarm;
drop index alarm_record_open_alarm;
create index alarm_record_open_alarm on alarm_record (alarm_id, (notified_at >= first_alarm), notified_at)
  where deal_state = 2;
-- The counters by level, and when the newest of the open ones was opened, are read from the index alone.
drop index alarm_record_open;
create index alarm_record_open on alarm_record (level, due_at, claim_user_id) include (first_alarm) where deal_state = 2;
