-- Versions of a configuration count from 1 for each product, as people do; their numbers were one sequence for all
-- products. What is no longer kept becomes 0, "none".
alter table remote_config add column number integer;
update remote_config set number = counted.number
from (select id, row_number() over (partition by product_id order by id) as number from remote_config) counted
where counted.id = remote_config.id;
update remote_config set restored_from = coalesce(
  (select origin.number from remote_config origin where origin.id = remote_config.restored_from), 0)
where restored_from <> 0;
update rollout set owner_id = coalesce((select number from remote_config where id = rollout.owner_id), 0)
where kind = 'config';
update device_config set config_id = coalesce((select number from remote_config where id = device_config.config_id), 0);
-- 0 would be "the newest" there, which nobody asked for.
update device_task set plan = jsonb_set(plan, '{configID}', to_jsonb(coalesce(
  (select number from remote_config where id = (device_task.plan ->> 'configID')::integer), -1)))
where (plan ->> 'configID')::integer > 0;
-- Its key and its index go with the column.
alter table remote_config drop column id;
alter table remote_config rename column number to id;
alter table remote_config add primary key (product_id, id);
