/** What an error means: this row is to blame, or nothing can be written now. */
import type { SettingsOf } from '@ithings/contract/features/forwarding/targets.ts'
import { type Phrase, phrase } from '@ithings/contract/text.ts'
import pg from 'pg'
import { saidBy } from '#engines/forward-shared/away.ts'
import { reasonOf, wordsIn } from '#engines/forward-shared/reach.ts'
import { TargetAway } from '#ports/forward-target.ts'

type Settings = SettingsOf<'postgres'>

/** The server answered and goes on. */
const isAnswer = (error: unknown): error is pg.DatabaseError =>
  error instanceof pg.DatabaseError && error.severity === 'ERROR'

/** Bad data, constraints, limits of a row, and what a trigger refuses. */
export const blamesRow = (error: unknown): error is pg.DatabaseError =>
  isAnswer(error) && /^(22|23|54|P0)/.test(error.code ?? '')

const answers: Array<[RegExp, (settings: Settings, message: string) => Phrase]> = [
  [/^53100$/, (_, message) => phrase('数据库磁盘已满：{message}', { message })],
  [/^53/, (_, message) => phrase('数据库资源不足：{message}', { message })],
  [/^57P0/, (_, message) => phrase('数据库正在关闭或启动：{message}', { message })],
  [/^28/, (_, message) => phrase('数据库拒绝登录：{message}', { message })],
  [/^3D000$/, ({ database }) => phrase('数据库 {database} 不存在', { database })],
  [/^(42P01|3F000)$/, ({ schema, table }) => phrase('表 {table} 不存在', { table: `${schema}.${table}` })],
  [/^42501$/, (_, message) => phrase('数据库用户没有所需的权限：{message}', { message })],
  [
    /^42P10$/,
    ({ schema, table }) =>
      phrase('表 {table} 缺少 (message_id, time) 上的主键或唯一约束', { table: `${schema}.${table}` }),
  ],
  [
    /^42/,
    ({ schema, table }, message) =>
      phrase('表 {table} 的结构不符：{message}', { table: `${schema}.${table}`, message }),
  ],
]

/** As a reason to try again later. */
export function awayFor(settings: Settings, error: unknown): TargetAway {
  const words = wordsIn(error)
  if (words) return new TargetAway(words, { cause: error })
  if (!(error instanceof pg.DatabaseError)) {
    const { host, port } = settings
    const message = reasonOf(error)
    return new TargetAway(phrase('无法连接数据库 {host}:{port}：{message}', { host, port, message }), { cause: error })
  }
  const code = error.code ?? ''
  const message = saidBy(error.message)
  const [, say] = answers.find(([codes]) => codes.test(code)) ?? []
  const said = say?.(settings, message) ?? phrase('数据库返回错误 {code}：{message}', { code, message })
  return new TargetAway(said, { cause: error })
}
