/** All commands: what the contract has, and what this program adds. */
import { allEndpoints } from '@ithings/contract/all-endpoints.ts'
import { t } from '@ithings/contract/text.ts'
import { Command, CommanderError, type Option } from 'commander'
import { addCompletion } from './completion.ts'
import { addConfigCommands } from './config-commands.ts'
import { addEndpoint } from './endpoint-command.ts'
import { ExitCode, Failure, usageFailure } from './failure.ts'
import type { Choice } from './field.ts'
import { wordsOf } from './names.ts'
import type { Place } from './place.ts'
import { addSignIn } from './sign-in.ts'
import { addWatch } from './watch.ts'
import { widthOf } from './width.ts'

const titles: Record<string, string> = {
  'Usage:': '用法：',
  'Options:': '选项：',
  'Commands:': '命令：',
  'Arguments:': '参数：',
}
/** Without a terminal, as in a page of the guide. */
const usualWidth = 100

const childOf = (parent: Command, name: string): Command =>
  parent.commands.find((one) => one.name() === name) ?? parent.command(name).helpCommand(false)

/** A group is called as the API list calls what lies below it. */
function describeGroups(command: Command, groups: ReadonlyMap<Command, Set<string>>): void {
  for (const child of command.commands) {
    if (child.description() === '')
      child.description(
        [...(groups.get(child) ?? [])]
          .slice(0, 4)
          .map((one) => t(one))
          .join(t('、')),
      )
    describeGroups(child, groups)
  }
}

/** Whether a command of these names may be among the words: its flags are needed then, and those of no other. */
function isAmong(names: readonly string[], words: readonly string[]): boolean {
  let found = 0
  for (const word of words) if (word === names[found]) found += 1
  return found === names.length
}

function addEndpoints(program: Command, place: Place, words?: readonly string[]): Map<Option, readonly Choice[]> {
  const groups = new Map<Command, Set<string>>()
  const choices = new Map<Option, readonly Choice[]>()
  for (const endpoint of allEndpoints) {
    let command = program
    const names = wordsOf(endpoint)
    for (const name of names) {
      command = childOf(command, name)
      groups.set(command, (groups.get(command) ?? new Set()).add(endpoint.group))
    }
    command.description(t(endpoint.name))
    if (words && !isAmong(names, words)) continue
    for (const { option, choices: known } of addEndpoint(command, endpoint, place)) choices.set(option, known)
  }
  describeGroups(program, groups)
  return choices
}

/** @param words that were typed, so that no flags are made that nobody asks for; absent: for all words */
export function makeProgram(place: Place, words?: readonly string[]): Command {
  const program = new Command('ithings')
    .description(t('iThings 平台的命令行：每个接口一条命令，配置即文件'))
    .option('--lang <zh|en>', t('语言，默认按终端'))
    .enablePositionalOptions()
    .helpOption('-h, --help', t('显示帮助'))
    .helpCommand(false)
    .exitOverride()
    .configureOutput({
      writeOut: place.out,
      writeErr: place.err,
      outputError: () => undefined,
      getOutHelpWidth: () => place.width ?? usualWidth,
      getErrHelpWidth: () => place.width ?? usualWidth,
      getOutHasColors: () => place.color,
      getErrHasColors: () => place.color,
    })
    .configureHelp({
      displayWidth: widthOf,
      styleTitle: (title) => t(titles[title] ?? title),
      subcommandTerm: (command) => command.name(),
      commandUsage: (command) => usageOf(command),
      optionDescription: (option) => option.description,
      argumentDescription: (argument) => argument.argChoices?.join(t('、')) ?? argument.description,
    })
  program.commandsGroup(t('命令：'))
  addSignIn(program, place)
  addWatch(program, place)
  const plans = childOf(program, 'plan')
  addConfigCommands(program, plans, place)
  addCompletion(program, place, (option) =>
    (choices.get(option) ?? option.argChoices?.map((name) => ({ name, label: '' })) ?? []).map(({ name, label }) => ({
      text: name,
      about: label && t(label),
    })),
  )
  program.commandsGroup(t('平台接口：'))
  const choices = addEndpoints(program, place, words)
  return program
}

function usageOf(command: Command): string {
  const names: string[] = []
  for (let one: Command | null = command; one; one = one.parent) names.unshift(one.name())
  const values = command.registeredArguments.map((one) => (one.required ? `<${one.name()}>` : `[${one.name()}]`))
  const below = command.commands.length > 0 ? [t('<命令>')] : []
  return [...names, ...below, ...values, t('[选项]')].join(' ')
}

/** What the library finds wrong, in the language of the terminal. */
export function failureOf(error: CommanderError): Failure | undefined {
  if (error.exitCode === 0) return undefined
  const name = /'([^']*)'/.exec(error.message)?.[1] ?? ''
  const meant = /Did you mean (?:one of )?(.+?)\?/.exec(error.message)?.[1]
  const hint = meant ? t('；是否要用 {meant}', { meant }) : ''
  switch (error.code) {
    case 'commander.unknownOption':
      return usageFailure(t('没有选项 {name}{hint}', { name, hint }))
    case 'commander.unknownCommand':
      return usageFailure(t('没有命令 {name}{hint}', { name, hint }))
    case 'commander.optionMissingArgument':
      return usageFailure(t('{name} 缺少值', { name }))
    case 'commander.missingArgument':
    case 'commander.missingMandatoryOptionValue':
      return usageFailure(t('缺少 {flags}', { flags: name }))
    case 'commander.invalidArgument': {
      const value = /(?:argument|value) '([^']*)' is invalid/.exec(error.message)?.[1]
      const asked = /option '(.*?)' |for argument '(.*?)'/.exec(error.message)
      return usageFailure(t('{name} 不能是 {value}', { name: asked?.[1] ?? asked?.[2], value }))
    }
    case 'commander.excessArguments':
      return usageFailure(t('多余的参数：{message}', { message: error.message.split(': ').at(-1) }))
    case 'commander.help':
      return new Failure('', ExitCode.usage)
    default:
      return usageFailure(error.message)
  }
}

/** @returns what the program ends with */
export async function runProgram(place: Place, words: readonly string[]): Promise<number> {
  try {
    await makeProgram(place, words).parseAsync([...words], { from: 'user' })
    return 0
  } catch (error) {
    const failure = error instanceof CommanderError ? failureOf(error) : error
    if (failure === undefined) return 0
    if (!(failure instanceof Failure)) throw failure
    if (failure.message !== '') place.err(`${failure.message}\n`)
    return failure.exitCode
  }
}
