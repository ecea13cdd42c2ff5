/** export, plan and apply: the configuration of a platform as files. */
import {
  applyConfig,
  type ConfigChange,
  configKindLabels,
  configKinds,
  createPlan,
  exportConfig,
  previewConfig,
} from '@ithings/contract/features/plans.ts'
import { t } from '@ithings/contract/text.ts'
import type { Command } from 'commander'
import { call } from './call.ts'
import { escapePlaceholders, loadObjects, objectsText, writeObjects } from './config-files.ts'
import { describeChanges } from './diff.ts'
import { commonFlags, confirm } from './endpoint-command.ts'
import { ExitCode, Failure, usageFailure } from './failure.ts'
import { type Given, several } from './flags.ts'
import { show } from './output.ts'
import { type Place, say, tell } from './place.ts'
import { findTarget } from './profiles.ts'

interface Wanted extends Given {
  file?: string[]
  prune?: boolean
  profile?: string
}

async function exportTo(place: Place, given: Given): Promise<void> {
  const target = await findTarget(place, given.profile as string | undefined)
  const kinds = given.kinds as (typeof configKinds)[number][] | undefined
  const { list } = await call(place, target, exportConfig, { ...(kinds && { kinds }) })
  const objects = list.map(escapePlaceholders)
  const out = given.out as string | undefined
  if (out === undefined || out === '-') return place.out(objectsText(objects, Boolean(given.json)))
  const others = await writeObjects(out, objects).catch((error: NodeJS.ErrnoException) => {
    throw usageFailure(t('无法写入 {file}（{code}）', { file: out, code: error.code }))
  })
  tell(place, t('已写入 {file}：{count} 个对象', { file: out, count: objects.length }))
  if (others.length > 0) tell(place, t('平台上没有这些文件的对象：{files}', { files: others.join(t('、')) }))
}

function showChanges(place: Place, changes: readonly ConfigChange[], given: Given) {
  if (given.json || given.yaml) return show(place, changes, given)
  if (changes.length === 0) return say(place, t('没有变化'))
  for (const line of describeChanges(changes, place.color)) say(place, line)
}

async function compare(place: Place, given: Wanted) {
  // Not by the library: `plan` has commands below it, which need no file.
  if (!given.file) throw usageFailure(t('缺少 {flags}', { flags: '-f' }))
  const target = await findTarget(place, given.profile)
  const wanted = { objects: await loadObjects(place, given.file), prune: Boolean(given.prune) }
  const { changes } = await call(place, target, previewConfig, wanted)
  return { target, wanted, changes }
}

async function plan(place: Place, given: Wanted): Promise<void> {
  const { changes } = await compare(place, given)
  showChanges(place, changes, given)
  if (given.exitCode && changes.length > 0) throw new Failure('', ExitCode.changes)
}

async function apply(place: Place, given: Wanted): Promise<void> {
  const { target, wanted, changes } = await compare(place, given)
  showChanges(place, changes, given)
  if (changes.length === 0) return
  const title = given.propose as string | undefined
  if (title !== undefined) {
    const { id } = await call(place, target, createPlan, { ...wanted, title, origin: 'command line' })
    return tell(place, t('已提出计划 {id}，在控制台批准后才会应用', { id }))
  }
  const problems = changes.filter(({ problem }) => problem !== '').length
  if (problems > 0) throw new Failure(t('{count} 个对象不能这样应用，什么也没有改变', { count: problems }))
  await confirm(place, t('应用以上 {count} 处变化？', { count: changes.length }), given.yes)
  const { id } = await call(place, target, applyConfig, { ...wanted, origin: 'command line' })
  tell(place, t('已应用，计划 {id} 可以在控制台撤销', { id }))
}

const wantedFlags = (command: Command): Command =>
  command
    .addOption(several(`-f, --file <${t('路径')}...>`, t('YAML 或 JSON 的文件、文件夹，- 为标准输入')))
    .option('--prune', t('删除文件中没有的对象（限文件中出现的种类）'))

/** @param plans the group `plan`, which endpoints have, too */
export function addConfigCommands(program: Command, plans: Command, place: Place): void {
  const kinds = several(
    `--kinds <${t('种类')}...>`,
    configKinds.map((kind) => `${kind} ${t(configKindLabels[kind])}`).join(t('、')),
  )
  commonFlags(
    program
      .command('export')
      .description(t('把产品、物模型、脚本、渠道、告警、场景和角色导出为文件'))
      .addOption(kinds.choices(configKinds))
      .option(`-o, --out <${t('路径')}>`, t('文件夹（一个对象一个文件）或文件，默认标准输出')),
  ).action((given: Given) => exportTo(place, given))
  commonFlags(wantedFlags(plans.description(t('比较文件与平台，什么也不改变'))))
    .option('--exit-code', t('有变化时以 {code} 结束', { code: ExitCode.changes }))
    .action((given: Wanted) => plan(place, given))
  commonFlags(
    wantedFlags(program.command('apply').description(t('显示变化，确认后使平台与文件一致')))
      .option('--yes', t('不再询问'))
      .option(`--propose <${t('标题')}>`, t('只提出计划，由人在控制台批准')),
  ).action((given: Wanted) => apply(place, given))
}
