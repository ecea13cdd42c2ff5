/** `npm start -- --demo` (`--demo=en`: in English) and `--remove-demo`: what the start is asked for beside starting. */
import { AppError } from '@ithings/contract/errors.ts'
import { type Language, type Phrase, phrase } from '@ithings/contract/text.ts'
import type { Db } from '#db/schema.ts'
import type { DemoDeps } from '#features/demo/demo-deps.ts'
import { findDemo, firstAdmin, isEmpty } from '#features/demo/read-demo.ts'
import { startLoading, startRemoving, stopLoading } from '#features/demo/start-demo.ts'
import { inTerminal, terminalTranslator } from '#terminal.ts'

export type DemoWish = 'load' | 'load-english' | 'remove'

export const demoWish = (args: readonly string[]): DemoWish | undefined => {
  if (args.includes('--remove-demo')) return 'remove'
  if (args.includes('--demo=en')) return 'load-english'
  return args.includes('--demo') ? 'load' : undefined
}

/** Started again with the same words it is there, or on its way. */
async function whyNotLoaded(db: Db): Promise<Phrase | undefined> {
  const demo = await findDemo(db)
  if (!demo) {
    return (await isEmpty(db)) ? undefined : phrase('没有加载演示数据：只有空的平台才能加载，而这里已有产品。')
  }
  if (demo.openJob !== '') {
    return demo.removing ? phrase('演示数据正在移除，移除完成后再加载。') : phrase('演示数据已在加载中。')
  }
  return demo.complete
    ? phrase('演示数据已经加载过了。')
    : phrase('上次加载没有完成，只有一部分演示数据，可用 --remove-demo 移除。')
}

async function load(deps: DemoDeps, language: Language): Promise<Phrase> {
  await startLoading(deps, await firstAdmin(deps.db, language))
  return phrase('正在加载演示数据，用时不到一分钟。')
}

async function remove(deps: DemoDeps): Promise<Phrase> {
  if (!(await findDemo(deps.db))) return phrase('没有可移除的演示数据。')
  // Cut off by the end of the platform it goes on with its start.
  if (await stopLoading(deps.db)) {
    return phrase('正在停止加载演示数据，已加载的部分会被移除。')
  }
  await startRemoving(deps, await firstAdmin(deps.db))
  return phrase('正在移除演示数据。')
}

/** @returns what became of it, for the one who started the platform; a refusal does not keep it from starting */
export async function fulfilDemoWish(deps: DemoDeps, wish: DemoWish): Promise<string> {
  try {
    return inTerminal(await (wish === 'remove' ? remove(deps) : load(deps, wish === 'load' ? 'zh' : 'en')))
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const why = error.say(terminalTranslator())
    if (wish === 'remove') return inTerminal(phrase('没有移除演示数据：{why}', { why }))
    return inTerminal((await whyNotLoaded(deps.db)) ?? phrase('没有加载演示数据：{why}', { why }))
  }
}
