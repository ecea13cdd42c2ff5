-- Jobs are claimed in their own row: one that waits may begin from then on, one that runs belongs to its server until then.
alter table job add column next_at timestamptz not null default 'epoch';
-- Servers of the version before say nothing of the jobs they run: they get a moment to end them.
update job set next_at = now() + interval '1 minute' where status = 2;

-- The queue that held the ids of jobs before. It goes when it is ours alone and all that waits in it is a job that waits.
do $$
begin
  if to_regclass('pgboss.job') is null or to_regclass('pgboss.queue') is null then
    return;
  end if;
  if exists (select from pgboss.queue where name <> 'job') or exists (
    select from pgboss.job entry
    where entry.state::text in ('created', 'retry', 'active')
      and not exists (select from job where job_id = entry.data ->> 'jobID' and status <> 2)
  ) then
    return;
  end if;
  drop schema pgboss cascade;
end $$;
