/** A believable fleet straight into the database: products of very different sizes, names, places, tags, groups. */
/** One session: settings of the first statement hold for the others. */
export interface Session {
  query(text: string): Promise<{ rows: unknown[] }>
}

export interface FleetSize {
  devices: number
  products: number
  groups: number
  members: number
}

const cities = `array[
  'beijing|北京|116.40|39.90','shanghai|上海|121.47|31.23','guangzhou|广州|113.26|23.13','shenzhen|深圳|114.06|22.54',
  'chengdu|成都|104.07|30.67','wuhan|武汉|114.30|30.59','xian|西安|108.94|34.34','hangzhou|杭州|120.16|30.27',
  'nanjing|南京|118.80|32.06','tianjin|天津|117.20|39.08','chongqing|重庆|106.55|29.56','suzhou|苏州|120.62|31.30',
  'qingdao|青岛|120.38|36.07','shenyang|沈阳|123.43|41.81','harbin|哈尔滨|126.64|45.76','kunming|昆明|102.83|24.88',
  'lanzhou|兰州|103.83|36.06','urumqi|乌鲁木齐|87.62|43.83','haikou|海口|110.35|20.02','changsha|长沙|112.94|28.23']`
const kinds = `array['pump|水泵','valve|阀门','meter|电表','flow|流量计','temp|温度计','plc|控制器','cam|摄像头','lamp|路灯']`
const versions = `array['1.0.0','1.0.3','1.1.0','1.2.0','1.2.1','2.0.0','2.0.1','2.1.0-beta']`

const products = ({ products: count }: FleetSize) => `
  insert into product (product_id, product_name, device_type, secret)
  select lpad(n::text, 11, '0'), '产品' || n, case when n % 10 = 0 then 2 when n % 3 = 0 then 3 else 1 end, 'c2VjcmV0'
  from generate_series(1, ${count}) n`

/** Every number is drawn once a row, so that city, name and place agree; a quarter of the fleet is never activated. */
const devices = ({ devices: count, products: productCount }: FleetSize) => `
  insert into device (product_id, device_name, device_alias, secret, version, longitude, latitude, address, tags,
    is_online, first_login, last_login, log_level, is_enable, is_simulated, created_at)
  select
    lpad((1 + floor(${productCount} * r1 * r1))::int::text, 11, '0'),
    split_part(kind, '|', 1) || '-' || split_part(city, '|', 1) || '-' || lpad(n::text, 7, '0'),
    split_part(city, '|', 2) || (1 + floor(r3 * 400))::int || '号站' || split_part(kind, '|', 2) || (n % 97),
    encode(decode(md5(n::text) || substr(md5((n * 7)::text), 1, 8), 'hex'), 'base64'),
    case when r4 < 0.25 then '' else (${versions})[1 + floor(8 * r5 * r5)] end,
    case when r2 < 0.05 then 0 else split_part(city, '|', 3)::float8 + (r6 - 0.5) * 2 end,
    case when r2 < 0.05 then 0 else split_part(city, '|', 4)::float8 + (r7 - 0.5) * 2 end,
    split_part(city, '|', 2) || '市 ' || (n % 5000) || ' 号',
    jsonb_build_array(
      jsonb_build_object('key', 'region', 'value', split_part(city, '|', 2)),
      jsonb_build_object('key', 'line', 'value', (1 + floor(r8 * 200))::int::text),
      jsonb_build_object('key', 'asset', 'value', 'A' || n)),
    case when r4 >= 0.25 and r4 < 0.75 then 1 else 2 end,
    case when r4 < 0.25 then null else now() - r5 * interval '700 days' end,
    case when r4 < 0.25 then null when r4 < 0.75 then now() - r6 * interval '2 days' else now() - r6 * interval '300 days' end,
    case when r7 < 0.9 then 1 else 1 + floor(r8 * 5)::int end,
    case when r8 < 0.01 then 2 else 1 end,
    case when r9 < 0.005 then 1 else 2 end,
    now() - interval '800 days' + n * (interval '800 days' / ${count})
  from (
    select n, (${cities})[1 + floor(20 * power(random(), 1.5))] as city, (${kinds})[1 + floor(8 * random())] as kind,
      random() r1, random() r2, random() r3, random() r4, random() r5, random() r6, random() r7, random() r8, random() r9
    from generate_series(1, ${count}) n
  ) drawn`

/** Three levels: every tenth group is a top one, the others hang below earlier ones. */
const groups = ({ groups: count }: FleetSize) => `
  insert into device_group (group_id, parent_id, group_name)
  select 2000 + n, case when n <= ${count} / 10 then 1
    when n <= ${count} / 2 then 2000 + 1 + n % (${count} / 10)
    else 2000 + ${count} / 10 + 1 + n % (${count} * 2 / 5) end, '分组' || n
  from generate_series(1, ${count}) n`
const members = (size: FleetSize) => `
  insert into group_device (group_id, device_id)
  select 2000 + 1 + floor(${size.groups} * power(random(), 2))::int, 1 + floor(random() * ${size.devices})::int
  from generate_series(1, ${size.members}) on conflict do nothing`
const links = ({ devices: count }: FleetSize) => `
  insert into gateway_device (gateway_id, device_id)
  select gateway.device_id, child.device_id
  from (select device_id, row_number() over (order by device_id) n from device join product using (product_id)
        where device_type = 2) gateway
  join (select device_id, row_number() over (order by device_id) n from device join product using (product_id)
        where device_type = 3 limit ${count} / 20) child on child.n / 8 = gateway.n`

/** Rows first and the indexes of the migration afterwards, as they were: many times quicker than row by row. */
export async function fillFleet(client: Session, size: FleetSize): Promise<void> {
  await client.query(`set maintenance_work_mem = '512MB'; set statement_timeout = 0; select setseed(0.42)`)
  const { rows } = await client.query(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index
     where indrelid in ('device'::regclass, 'device_text'::regclass) and not indisunique`,
  )
  const indexes = rows as Array<{ name: string; definition: string }>
  await client.query(products(size))
  for (const { name } of indexes) await client.query(`drop index ${name}`)
  await client.query(devices(size))
  for (const { definition } of indexes) await client.query(definition)
  await client.query(groups(size))
  await client.query(members(size))
  await client.query(links(size))
  // As the server does within the hour after many devices came.
  await client.query('select device_name_fence_tidy(16384, 4096)')
  await client.query('vacuum (analyze)')
}
