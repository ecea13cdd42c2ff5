/** What a shell offers when somebody presses Tab: the program is asked each time, so it always fits. */
import { t } from '@ithings/contract/text.ts'
import { Argument, type Command, type Option } from 'commander'
import { usageFailure } from './failure.ts'
import { type Place, say } from './place.ts'
import { readProfiles } from './profiles.ts'

/** Says that names of files fit here. */
const files = ':files'

interface Offer {
  text: string
  about: string
}

const shells: Record<string, string> = {
  bash: `_ithings() {
  local line
  COMPREPLY=()
  while IFS= read -r line; do COMPREPLY+=("\${line%%$'\\t'*}"); done \\
    < <(ithings complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  if [[ "\${COMPREPLY[0]}" == "${files}" ]]; then
    compopt -o filenames 2>/dev/null
    mapfile -t COMPREPLY < <(compgen -f -- "\${COMP_WORDS[COMP_CWORD]}")
  fi
}
complete -F _ithings ithings`,
  zsh: `#compdef ithings
_ithings() {
  local -a offers
  local line
  for line in "\${(@f)$(ithings complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    [[ -n $line ]] && offers+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done
  if [[ "\${offers[1]}" == "\\\\${files}"* ]]; then _files; else _describe -V ithings offers; fi
}
compdef _ithings ithings`,
  fish: `function __ithings_complete
  set -l offers (ithings complete -- (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)
  if string match -q '${files}*' -- $offers[1]
    __fish_complete_path (commandline -ct)
  else
    printf '%s\\n' $offers
  end
end
complete -c ithings -f -a '(__ithings_complete)'`,
  powershell: `Register-ArgumentCompleter -Native -CommandName ithings -ScriptBlock {
  param($word, $ast, $cursor)
  $words = @($ast.CommandElements | Select-Object -Skip 1 | ForEach-Object { "$_" })
  if ($word -eq '') { $words += '""' }
  ithings complete '--' @words 2>$null | Where-Object { $_ -notlike '${files}*' } | ForEach-Object {
    $text, $about = $_ -split "\`t", 2
    if (-not $about) { $about = $text }
    [System.Management.Automation.CompletionResult]::new($text, $text, 'ParameterValue', $about)
  }
}`,
}

const offersOf = (option: Option, profiles: readonly string[], choices: ChoicesOf): Offer[] => {
  const name = option.attributeName()
  if (name === 'profile') return profiles.map((text) => ({ text, about: '' }))
  if (name === 'lang') return ['zh', 'en'].map((text) => ({ text, about: '' }))
  if (['file', 'out', 'body'].includes(name)) return [{ text: files, about: '' }]
  return choices(option)
}

/** Names that a flag takes. */
export type ChoicesOf = (option: Option) => Offer[]

/** @param words after the name of the program; the last one is not whole yet */
export function complete(
  program: Command,
  words: readonly string[],
  profiles: readonly string[],
  choices: ChoicesOf,
): Offer[] {
  const current = words.at(-1) ?? ''
  let command = program
  let pending: Option | undefined
  for (const word of words.slice(0, -1)) {
    const option: Option | undefined = command.options.find((one) => one.long === word || one.short === word)
    if (option) pending = option.required || option.optional ? option : undefined
    else if (pending && (pending.variadic || !word.startsWith('-'))) pending = pending.variadic ? pending : undefined
    else command = command.commands.find((one) => one.name() === word) ?? command
  }
  const fits = ({ text }: Offer) => text === files || text.startsWith(current)
  const flags = command.options.map((one) => ({ text: one.long ?? '', about: one.description }))
  if (current.startsWith('-')) return flags.filter(fits)
  if (pending) return offersOf(pending, profiles, choices).filter(fits)
  const names = command.commands
    .filter((one) => one.name() !== 'complete')
    .map((one) => ({ text: one.name(), about: one.description() }))
  const values = command.registeredArguments.flatMap(({ argChoices }) => argChoices ?? [])
  const offers = [...names, ...values.map((text) => ({ text, about: '' }))]
  return (offers.length > 0 ? offers : flags).filter(fits)
}

export function addCompletion(program: Command, place: Place, choices: ChoicesOf): void {
  const known = Object.keys(shells)
  program
    .command('completion')
    .description(t('用 Tab 补全命令：输出给 shell 的脚本'))
    .addArgument(new Argument('<shell>').choices(known))
    .addHelpText(
      'after',
      `\nbash:        source <(ithings completion bash)\nzsh:         source <(ithings completion zsh)\nfish:        ithings completion fish | source\npowershell:  ithings completion powershell | Out-String | Invoke-Expression`,
    )
    .action((shell: string) => {
      const script = shells[shell]
      if (script === undefined) throw usageFailure(t('可以是 {known}', { known: known.join(t('、')) }))
      say(place, script)
    })
  program
    .command('complete', { hidden: true })
    .argument('[words...]')
    .action(async (words: string[]) => {
      const { profiles } = await readProfiles(place)
      const typed = words.map((word) => (word === '""' ? '' : word))
      for (const { text, about } of complete(program, typed, Object.keys(profiles), choices))
        say(place, `${text}\t${about}`)
    })
}
