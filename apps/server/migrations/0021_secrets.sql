-- The secret before the last rotation, accepted until old_secret_until (ms; 0: there is none).
alter table device add column old_secret text not null default '', add column old_secret_until bigint not null default 0;
alter table product add column old_secret text not null default '', add column old_secret_until bigint not null default 0;

-- Secrets have a right of their own. Whoever makes devices or products has to put their secrets somewhere, so he goes on
-- seeing them; whoever only reads does not. To rotate them is new: administrators give it (the supplier has it by seed).
insert into role_api (role_id, route, method)
select role_id, replace(route, '/create', '/secret-read'), method from role_api
where route in ('/api/v1/things/device/info/create', '/api/v1/things/product/info/create')
on conflict do nothing;

-- Role 3, "view data, operate devices", held every query of the platform: people, logs, settings, jobs, configurations,
-- scripts. It keeps what its screens show. Only where nobody changed it: its rights are still exactly the queries and the
-- commands among the built-in APIs, which is what earlier versions gave. Whoever changed the role chose what it holds.
with given as (
  select route, method from api where built_in and (business_type = 4 or route like '%/interact/%')
), held as (
  select route, method from role_api where role_id = 3
), untouched as (
  select not exists ((table given except table held) union all (table held except table given)) as is_so
)
delete from role_api using untouched
where is_so and role_id = 3
  and (route !~ '^/api/v1/things/(product/(info|schema)|device/(info|gateway|interact|msg|group-index)|group|rule/(scene|alarm)|home)(/|$)'
    or route ~ '/scene/info/(dry-run|backtest)$');
