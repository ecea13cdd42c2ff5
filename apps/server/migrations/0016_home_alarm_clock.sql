-- Occurrences of alarms in home_alarm (0013): the short way out looked at the age of an entry alone. When a clock was
-- set back, or that of one server goes ahead, the mark may lie in front of new entries, and those were counted nowhere.
create or replace function home_alarm_change() returns trigger language plpgsql as $$
declare
  sign integer := case tg_op when 'DELETE' then -1 else 1 end;
  mark bigint;
begin
  if not exists (select from changed) then return null; end if;
  select seen into mark from home_work where name = 'alarm';
  -- Behind the mark and of this minute: the mark stays minutes behind this clock (work/count-alarms.ts), so that it
  -- does not pass the entry before everybody sees it. The usual case ends here.
  if sign = 1 and (select min(created_at) from changed)
      >= greatest(mark, floor(extract(epoch from clock_timestamp()) * 1000)::bigint - 60000) then
    return null;
  end if;
  select seen into mark from home_work where name = 'alarm' for share;
  insert into home_alarm as kept (at, level, alarms)
  select created_at / 300000 * 300000, level, sign * count(*) from changed
  -- Older ones are not kept.
  where created_at < mark and created_at >= mark - 777600000
  group by 1, 2 order by 1, 2
  on conflict (at, level) do update set alarms = kept.alarms + excluded.alarms;
  return null;
end $$;
