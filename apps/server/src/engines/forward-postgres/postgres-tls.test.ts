/** A PostgreSQL of its own that takes TLS only, with a certificate that it signed itself. */
import { chmod, chown, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type SettingsOf, targetSettings } from '@ithings/contract/features/forwarding/targets.ts'
import pg from 'pg'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#engines/embedded-pg/start-embedded-postgres.ts'
import { eventually } from '#testing/eventually.ts'
import { makeTestCertificate } from '../aedes/testing/test-certificate.ts'
import { tools, untilTheEnd } from '../forward-shared/testing/messages.ts'
import { messages } from '../forward-shared/testing/some-messages.ts'
import { openPostgresTarget } from './postgres-target.ts'

let folder: string
let server: EmbeddedPostgres
let admin: pg.Client
const { cert, key } = makeTestCertificate()

/** As the account of PostgreSQL has it: nobody else reads the key. */
async function putFile(name: string, content: Buffer): Promise<void> {
  const { rows } = await admin.query<{ data_directory: string }>('show data_directory')
  const place = rows[0]?.data_directory ?? ''
  await writeFile(join(place, name), content, { mode: 0o600 })
  const { uid, gid } = await stat(place)
  await chown(join(place, name), uid, gid)
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ithings-tls-'))
  await chmod(folder, 0o711)
  server = await startEmbeddedPostgres({ dataDir: folder, tcp: true, log: { info() {}, warn() {} } })
  admin = new pg.Client({ connectionString: server.adminUrl })
  await admin.connect()
  await putFile('server.crt', cert)
  await putFile('server.key', key)
  await putFile('pg_hba.conf', Buffer.from('hostnossl all outside all reject\nhost all all all scram-sha-256\n'))
  await admin.query('alter system set ssl = on')
  await admin.query(`create role outside login password 'quiet'`)
  await admin.query('create schema data authorization outside')
  await admin.query('select pg_reload_conf()')
  // Its processes read the files one after the other: the first that answers TLS has them all.
  await eventually(async () => {
    const client = new pg.Client({ connectionString: server.adminUrl, ssl: { rejectUnauthorized: false } })
    await client.connect()
    await client.end()
  })
})
afterAll(async () => {
  await admin.end()
  await server.stop()
  await rm(folder, { recursive: true, force: true })
})

function open(changes: Partial<SettingsOf<'postgres'>>) {
  const { port, pathname } = new URL(server.adminUrl)
  const place = { type: 'postgres', host: 'localhost', port: Number(port), database: pathname.slice(1) }
  const who = { username: 'outside', password: 'quiet', schema: 'data', table: 'sent' }
  const settings = targetSettings.parse({ ...place, ...who, ...changes }) as SettingsOf<'postgres'>
  const target = openPostgresTarget(settings, tools())
  onTestFinished(() => target.close())
  return target
}

test('rows arrive over TLS by the authority that was given', async () => {
  const target = open({ tls: true, ca: cert.toString() })
  expect(await target.send(messages(5), untilTheEnd)).toEqual([])
  expect((await admin.query('select count(*)::integer as count from data.sent')).rows).toEqual([{ count: 5 }])
  const { rows } = await admin.query(
    `select ssl from pg_stat_ssl join pg_stat_activity using (pid) where usename = 'outside'`,
  )
  expect(rows).toEqual([{ ssl: true }])
})

test.each([
  ['without TLS', { tls: false }],
  ['by the authorities of the system only', { tls: true }],
  ['by another authority', { tls: true, ca: makeTestCertificate().cert.toString() }],
])('%s nothing is sent, and the batch is kept', async (_, changes) => {
  await expect(open({ table: 'never', ...changes }).send(messages(2), untilTheEnd)).rejects.toThrow()
  expect((await admin.query(`select to_regclass('data.never') as there`)).rows).toEqual([{ there: null }])
})
