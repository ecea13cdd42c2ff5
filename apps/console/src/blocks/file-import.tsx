/** The import of an exported file: it is read and shown first, then each row of it is made; names can be changed. */
import { t } from '@ithings/contract/text.ts'
import { App, Input } from 'antd'
import { type ReactNode, useState } from 'react'
import { ImportDrawer } from '#kit/import-drawer.tsx'
import { type Outcome, runEach } from '#kit/run-each.ts'
import { describeError } from '#kit/states/describe-error.ts'
import { StatusTag } from '#kit/status-tag.tsx'

/** What was read out of the file about one of the things in it. */
export interface ReadRow {
  name: string
  /** Why it cannot be imported; empty when it can. */
  problems: string[]
}

type Row<R> = R & { key: number; outcome?: Outcome }

/** How the drawer speaks of the things in the file. */
const texts = {
  product: {
    title: '导入产品',
    file: '选择或拖入从产品列表导出的 JSON 文件',
    name: '产品名称',
    done: '已导入 {count} 个产品',
  },
  scene: {
    title: '导入场景',
    file: '选择或拖入从场景列表导出的 JSON 文件',
    name: '场景名称',
    done: '已导入 {count} 个场景',
  },
}

interface FileImportProps<R extends ReadRow> {
  open: boolean
  onClose: () => void
  width: number
  what: keyof typeof texts
  option: { label: string; help: string }
  fileHelp: string
  /** Throws a sentence when the text is no such file. */
  read: (text: string) => R[] | Promise<R[]>
  /** @param option whether the switch is on */
  make: (row: R, option: boolean) => Promise<unknown>
  /** Called once after all of them. */
  refresh: () => Promise<unknown>
  /** What a renamed row no longer says. */
  renamed?: (row: R) => R
  badText: (row: R) => string
  /** What a row is about, below its name. */
  about: (row: R) => ReactNode
}

const largestFile = 20 * 1024 * 1024
const shownProblems = 5

function useRows<R extends ReadRow>({ read, make, refresh }: FileImportProps<R>) {
  const [rows, setRows] = useState<Row<R>[]>()
  const [refusal, setRefusal] = useState<string>()
  const [running, setRunning] = useState(false)
  const todo = (rows ?? []).filter(
    ({ problems, outcome, name }) => problems.length === 0 && outcome?.state !== 'done' && name.trim() !== '',
  )
  const change = (key: number, next: (row: Row<R>) => Row<R>) =>
    setRows((before) => before?.map((row) => (row.key === key ? next(row) : row)))
  const take = async (file: File) => {
    if (file.size > largestFile) return setRefusal(t('文件不能超过 20 MB，「{name}」太大', { name: file.name }))
    try {
      const found = await read(await file.text())
      setRows(found.map((row, key) => ({ ...row, key })))
      setRefusal(undefined)
    } catch (error) {
      setRefusal(t('「{name}」{reason}', { name: file.name, reason: describeError(error).reason }))
    }
  }
  /** @returns how many could not be made */
  const submit = async (option: boolean): Promise<number> => {
    setRunning(true)
    let failed = 0
    await runEach(
      todo,
      (row) => make({ ...row, name: row.name.trim() }, option),
      ({ key }, outcome) => {
        if (outcome.state === 'failed') failed += 1
        change(key, (row) => ({ ...row, outcome }))
      },
    )
    await refresh()
    setRunning(false)
    return failed
  }
  const restart = () => {
    setRows(undefined)
    setRefusal(undefined)
  }
  return { rows, refusal, running, todo: todo.length, change, take, submit, restart }
}

function RowState({ bad, outcome }: { bad: string | undefined; outcome: Outcome | undefined }) {
  if (bad) return <StatusTag text={bad} tone="error" />
  if (outcome?.state === 'done') return <StatusTag text={t('已导入')} tone="success" />
  return outcome ? <StatusTag text={t('未导入')} tone="error" /> : <StatusTag text={t('可导入')} tone="processing" />
}

export function FileImport<R extends ReadRow>(props: FileImportProps<R>) {
  const { what, onClose, renamed = (row) => row } = props
  const { message } = App.useApp()
  const { rows, refusal, running, todo, change, take, submit, restart } = useRows(props)
  const [option, setOption] = useState(false)
  const create = async () => {
    if ((await submit(option)) > 0) return
    void message.success(t(texts[what].done, { count: todo }))
    onClose()
  }
  return (
    <ImportDrawer
      title={t(texts[what].title)}
      width={props.width}
      open={props.open}
      onClose={onClose}
      afterClose={restart}
      read={rows && { all: rows.length, todo }}
      refusal={refusal}
      running={running}
      option={{ ...props.option, checked: option, onChange: setOption }}
      file={{
        text: t(texts[what].file),
        help: props.fileHelp,
        onFile: (file) => void take(file),
      }}
      onRestart={restart}
      onSubmit={() => void create()}
    >
      <ul className="import-file-rows above-8 bare-list">
        {rows?.map((row) => {
          const { key, name, problems, outcome } = row
          const bad = problems.length > 0 ? props.badText(row) : undefined
          const failure = outcome?.state === 'failed' ? [describeError(outcome.error).reason] : []
          const more =
            problems.length > shownProblems ? [t('还有 {count} 处', { count: problems.length - shownProblems })] : []
          return (
            <li key={key}>
              <div className="row gap-12">
                <Input
                  aria-label={t(texts[what].name)}
                  value={name}
                  maxLength={64}
                  disabled={running || bad !== undefined || outcome?.state === 'done'}
                  onChange={({ target }) => {
                    const { outcome: _, ...rest } = row
                    change(key, () => ({ ...renamed(rest as Row<R>), key, name: target.value }))
                  }}
                />
                <RowState bad={bad} outcome={outcome} />
              </div>
              {props.about(row)}
              {[...failure, ...problems.slice(0, shownProblems), ...more].map((problem) => (
                <div key={problem} className="meta tone-error">
                  {problem}
                </div>
              ))}
            </li>
          )
        })}
      </ul>
    </ImportDrawer>
  )
}
