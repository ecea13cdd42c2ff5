import { type ProductCustom, runScript, saveDraft, type TestCase } from '@ithings/contract/features/products/custom.ts'
import { useQueryClient } from '@tanstack/react-query'
import { App } from 'antd'
import { useMemo, useState } from 'react'
import { May, useMay } from '#kit/rights.tsx'
import '#kit/form/form.css'
import '#kit/list-page/list-page.css'
import { useConfirm } from '#kit/confirm.tsx'
import { LeaveGuard, useHoldWindow } from '#kit/leave-guard.tsx'
import { usePhone } from '#kit/use-phone.ts'
import { BenchFields } from './bench-fields.tsx'
import { CaseList } from './case-list.tsx'
import { DiffDrawer } from './diff-drawer.tsx'
import { markOfRefusal } from './error-line.ts'
import { baseOf, definedHandlers } from './handlers.ts'
import { MarkedEditor } from './marked-editor.tsx'
import type { EditorMark } from './marked-editor-props.ts'
import { customQuery, publishScript } from './queries.ts'
import { RunResult } from './run-result.tsx'
import { ScriptBar, ScriptFoot } from './script-bar.tsx'
import type { ScriptTemplate } from './templates.ts'
import { useScriptDraft } from './use-script-draft.ts'
import { useTestBench } from './use-test-bench.ts'

const noMarks: EditorMark[] = []
const maxCases = 50

/** Editor and test bench side by side; the draft saves itself, only 发布 changes what devices meet. */
export function ScriptWorkbench({ productID, custom }: { productID: string; custom: ProductCustom }) {
  const { message } = App.useApp()
  const phone = usePhone()
  const confirm = useConfirm()
  const client = useQueryClient()
  const may = useMay()
  const draft = useScriptDraft(productID, custom)
  const bench = useTestBench(productID)
  const [marks, setMarks] = useState(noMarks)
  const [goTo, setGoTo] = useState<{ line: number }>()
  const [comparing, setComparing] = useState(false)
  const changed = draft.text !== custom.transformScript
  const defined = useMemo(() => definedHandlers(draft.text), [draft.text])
  const lost = draft.status === 'failed' || draft.status === 'too-long'
  useHoldWindow(draft.status !== 'saved')

  const write = (text: string) => {
    setMarks(noMarks)
    draft.change({ text })
  }

  const publish = async (text: string, done: string) => {
    try {
      await draft.flush()
      await publishScript({ productID, transformScript: text, rev: custom.rev })
      setMarks(noMarks)
      void message.success(done)
    } catch (error) {
      const mark = markOfRefusal(error)
      if (mark) {
        setMarks([mark])
        setGoTo({ line: mark.line })
      }
      throw error
    } finally {
      await client.invalidateQueries({ queryKey: customQuery(productID).queryKey })
    }
  }

  const askPublish = () =>
    confirm({
      title: '发布脚本？',
      content: '发布后立即生效：这个产品的自定义消息都由新脚本解析。',
      okText: '发布',
      onOk: () => publish(draft.text, '已发布，解析已启用'),
    })

  const askStop = () =>
    confirm({
      title: '停用解析？',
      content: '停用后，设备发到自定义主题的消息不再解析，会被丢弃并记入日志。脚本保留为草稿，可以再发布。',
      danger: true,
      okText: '停用',
      onOk: () => publish('', '已停用解析'),
    })

  const askRevert = () =>
    confirm({
      title: '放弃草稿？',
      content: '编辑器的内容将换回已发布的脚本，草稿中的修改无法恢复。',
      danger: true,
      okText: '放弃草稿',
      onOk: async () => write(custom.transformScript),
    })

  const applyTemplate = (template: ScriptTemplate) => {
    const { direction, base, input } = template.trial
    const apply = async () => {
      write(template.code)
      bench.change({ direction, base, input })
    }
    if (draft.text.trim() === '') void apply()
    else {
      confirm({
        title: `换成模板「${template.name}」？`,
        content: '编辑器现有的内容将被替换。已发布的脚本不受影响。',
        okText: '替换',
        onOk: apply,
      })
    }
  }

  const run = async () => {
    const outcome = await bench.run(draft.text)
    if ('failure' in outcome) return
    const { ok, line, error } = outcome.result
    setMarks(!ok && line > 0 ? [{ line, message: error }] : noMarks)
  }

  const saveCase = (name: string) => {
    const others = draft.cases.filter((one) => one.name !== name)
    if (others.length >= maxCases) {
      void message.warning(`最多保存 ${maxCases} 个用例`)
      return
    }
    draft.change({ cases: [...others, bench.asCase(name)] })
    void message.success('已存为用例')
  }

  const openCase = (one: TestCase) =>
    bench.change({ direction: one.direction, base: baseOf(one.handler), input: one.input })

  return (
    <div className="script-work">
      <LeaveGuard ofTab dirty={lost} text="脚本草稿还没有保存，离开后这次的修改将丢失。" />
      <section className="script-card" aria-label="脚本">
        <ScriptBar
          custom={custom}
          draft={draft}
          changed={changed}
          onTemplate={applyTemplate}
          onCompare={() => setComparing(true)}
          onPublish={askPublish}
          onStop={askStop}
          onRevert={askRevert}
        />
        <MarkedEditor
          language="javascript"
          label="解析脚本"
          height={phone ? 360 : 'max(480px, calc(100vh - 340px))'}
          value={draft.text}
          readOnly={!may(saveDraft)}
          marks={marks}
          goTo={goTo}
          onChange={write}
        />
        <ScriptFoot draft={draft} />
      </section>
      <May needs={runScript}>
        <section className="script-card bench" aria-label="测试台">
          <div className="bench-head">
            <b>测试台</b>
            <span className="meta">运行编辑器里的草稿，不影响设备</span>
          </div>
          <BenchFields
            bench={bench}
            defined={defined}
            takenNames={draft.cases.map((one) => one.name)}
            onRun={() => void run()}
            onSaveCase={saveCase}
          />
          {bench.outcome && <RunResult outcome={bench.outcome} onGoTo={(line) => setGoTo({ line })} />}
          <CaseList
            cases={draft.cases}
            verdicts={bench.verdicts}
            busy={bench.busy}
            onRun={(cases) => void bench.runCases(draft.text, cases)}
            onOpen={openCase}
            onRemove={(one) => draft.change({ cases: draft.cases.filter((other) => other.name !== one.name) })}
          />
        </section>
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
