import { type ProductCustom, runScript, saveDraft } from '@ithings/contract/features/scripts.ts'
import { t } from '@ithings/contract/text.ts'
import { useQueryClient } from '@tanstack/react-query'
import { App } from 'antd'
import { useState } from 'react'
import { May, useMay } from '#kit/rights.tsx'
import { useMemo } from '#language/use-memo.ts'
import '#kit/list-page/list-page.css'
import { CodeEditor } from '#kit/code-editor.tsx'
import type { EditorMark } from '#kit/code-editor-props.ts'
import { useConfirm } from '#kit/confirm.tsx'
import { LeaveGuard, useHoldWindow } from '#kit/leave-guard.tsx'
import { usePhone } from '#kit/use-phone.ts'
import { BenchFields } from './bench-fields.tsx'
import { CaseList } from './case-list.tsx'
import { DiffDrawer } from './diff-drawer.tsx'
import { markOfRefusal } from './error-line.ts'
import { baseOf, definedHandlers } from './handlers.ts'
import { customQuery, publishScript } from './queries.ts'
import { RunResult } from './run-result.tsx'
import { ScriptBar, ScriptFoot } from './script-bar.tsx'
import type { ScriptTemplate } from './templates.ts'
import { useScriptDraft } from './use-script-draft.ts'
import { useTestBench } from './use-test-bench.ts'

const noMarks: EditorMark[] = []
const maxCases = 50

/** What editor, toolbar and test bench share: the draft, the bench and the marked lines of the script. */
function useWorkbench(productID: string, custom: ProductCustom) {
  const draft = useScriptDraft(productID, custom)
  const bench = useTestBench(productID)
  const [marks, setMarks] = useState(noMarks)
  const [goTo, setGoTo] = useState<{ line: number }>()
  const write = (text: string) => {
    setMarks(noMarks)
    draft.change({ text })
  }
  return {
    productID,
    custom,
    draft,
    bench,
    marks,
    setMarks,
    goTo,
    showLine: (line: number) => setGoTo({ line }),
    write,
  }
}

type Workbench = ReturnType<typeof useWorkbench>

/** Gives the text to the devices; where the platform finds a fault in it, the editor shows the line. */
function usePublish({ productID, custom, draft, setMarks, showLine }: Workbench) {
  const { message } = App.useApp()
  const client = useQueryClient()
  return async (text: string, done: string) => {
    try {
      await draft.flush()
      await publishScript({ productID, transformScript: text, rev: custom.rev })
      setMarks(noMarks)
      void message.success(done)
    } catch (error) {
      const mark = markOfRefusal(error)
      if (mark) {
        setMarks([mark])
        showLine(mark.line)
      }
      throw error
    } finally {
      await client.invalidateQueries({ queryKey: customQuery(productID).queryKey })
    }
  }
}

/** What the toolbar does; whatever reaches devices or replaces a text is asked for first. */
function useScriptActs(work: Workbench) {
  const { custom, draft, bench, write } = work
  const confirm = useConfirm()
  const publish = usePublish(work)
  return {
    onPublish: () =>
      confirm({
        title: t('发布脚本？'),
        content: t('发布后立即生效：这个产品的自定义消息都由新脚本解析。'),
        okText: t('发布'),
        onOk: () => publish(draft.text, t('已发布，解析已启用')),
      }),
    onStop: () =>
      confirm({
        title: t('停用解析？'),
        content: t('停用后，设备发到自定义主题的消息不再解析，会被丢弃并记入日志。脚本保留为草稿，可以再发布。'),
        danger: true,
        okText: t('停用'),
        onOk: () => publish('', t('已停用解析')),
      }),
    onRevert: () =>
      confirm({
        title: t('放弃草稿？'),
        content: t('编辑器的内容将换回已发布的脚本，草稿中的修改无法恢复。'),
        danger: true,
        okText: t('放弃草稿'),
        onOk: async () => write(custom.transformScript),
      }),
    onTemplate: ({ name, code, trial: { direction, base, input } }: ScriptTemplate) => {
      const apply = async () => {
        write(code)
        bench.change({ direction, base, input })
      }
      if (draft.text.trim() === '') return void apply()
      confirm({
        title: t('换成模板「{name}」？', { name: t(name) }),
        content: t('编辑器现有的内容将被替换。已发布的脚本不受影响。'),
        okText: t('替换'),
        onOk: apply,
      })
    },
  }
}

/** Editor and test bench side by side; the draft saves itself, only 发布 changes what devices meet. */
export function ScriptWorkbench({ productID, custom }: { productID: string; custom: ProductCustom }) {
  const phone = usePhone()
  const may = useMay()
  const work = useWorkbench(productID, custom)
  const acts = useScriptActs(work)
  const { draft } = work
  const [comparing, setComparing] = useState(false)
  const lost = draft.status === 'failed' || draft.status === 'too-long'
  useHoldWindow(draft.status !== 'saved')
  return (
    <div className="script-work top stack gap-16">
      <LeaveGuard ofTab dirty={lost} text={t('脚本草稿还没有保存，离开后这次的修改将丢失。')} />
      <section className="script-card pad-12-16 sheet column shrink gap-12" aria-label={t('脚本')}>
        <ScriptBar custom={custom} draft={draft} onCompare={() => setComparing(true)} {...acts} />
        <CodeEditor
          language="javascript"
          aria-label={t('解析脚本')}
          height={phone ? 360 : 'max(480px, calc(100vh - 340px))'}
          value={draft.text}
          readOnly={!may(saveDraft)}
          marks={work.marks}
          goTo={work.goTo}
          onChange={work.write}
        />
        <ScriptFoot draft={draft} />
      </section>
      <May needs={runScript}>
        <BenchCard work={work} />
      </May>
      <DiffDrawer
        published={custom.transformScript}
        draft={draft.text}
        open={comparing}
        onClose={() => setComparing(false)}
      />
    </div>
  )
}

/** One message through the draft of the script, and the cases worth running again. */
function BenchCard({ work: { draft, bench, setMarks, showLine } }: { work: Workbench }) {
  const { message } = App.useApp()
  const defined = useMemo(() => definedHandlers(draft.text), [draft.text])

  const run = async () => {
    const outcome = await bench.run(draft.text)
    if ('failure' in outcome) return
    const { ok, line, error } = outcome.result
    setMarks(!ok && line > 0 ? [{ line, message: error }] : noMarks)
  }

  const saveCase = (name: string) => {
    const others = draft.cases.filter((one) => one.name !== name)
    if (others.length >= maxCases) return void message.warning(t('最多保存 {most} 个用例', { most: maxCases }))
    draft.change({ cases: [...others, bench.asCase(name)] })
    void message.success(t('已存为用例'))
  }

  return (
    <section className="script-card pad-12-16 bench sheet column shrink gap-12" aria-label={t('测试台')}>
      <div className="bench-head high-32 row gap-8">
        <b className="nowrap">{t('测试台')}</b>
        <span className="meta">{t('运行编辑器里的草稿，不影响设备')}</span>
      </div>
      <BenchFields
        bench={bench}
        defined={defined}
        takenNames={draft.cases.map((one) => one.name)}
        onRun={() => void run()}
        onSaveCase={saveCase}
      />
      {bench.outcome && <RunResult outcome={bench.outcome} onGoTo={showLine} />}
      <CaseList
        cases={draft.cases}
        verdicts={bench.verdicts}
        busy={bench.busy}
        onRun={(cases) => void bench.runCases(draft.text, cases)}
        onOpen={({ direction, handler, input }) => bench.change({ direction, base: baseOf(handler), input })}
        onRemove={(one) => draft.change({ cases: draft.cases.filter((other) => other.name !== one.name) })}
      />
    </section>
  )
}
