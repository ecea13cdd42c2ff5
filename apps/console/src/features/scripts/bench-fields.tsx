import { PlayCircleOutlined, SaveOutlined } from '@ant-design/icons'
import { ScriptDirection, saveDraft } from '@ithings/contract/features/scripts.ts'
import { t } from '@ithings/contract/text.ts'
import { Button, Input, Popover, Segmented, Select, Space } from 'antd'
import { useId, useState } from 'react'
import { May } from '#kit/rights.tsx'
import { readHex, textToHex } from './bench-input.ts'
import { groupsFor, handlerName } from './handlers.ts'
import type { TestBench } from './use-test-bench.ts'

const directions = [
  { value: ScriptDirection.up, label: '设备上报' },
  { value: ScriptDirection.down, label: '平台下发' },
]

interface BenchFieldsProps {
  bench: TestBench
  /** Functions that the script defines; the others are offered too, but marked. */
  defined: readonly string[]
  takenNames: readonly string[]
  onRun: () => void
  onSaveCase: (name: string) => void
}

/** Direction, function and message: what the platform would hand over to the script. */
export function BenchFields({ bench, defined, takenNames, onRun, onSaveCase }: BenchFieldsProps) {
  const id = useId()
  const { form, problem, busy } = bench
  return (
    <div className="column shrink gap-12">
      <Segmented
        block
        aria-label={t('方向')}
        value={form.direction}
        options={directions.map(({ value, label }) => ({ value, label: t(label) }))}
        onChange={(direction) => bench.change({ direction })}
      />
      <div className="column shrink gap-6">
        <label className="softer" htmlFor={id}>
          {t('函数')}
        </label>
        <Select
          id={id}
          value={form.base}
          onChange={(base) => bench.change({ base })}
          options={groupsFor(form.direction).map((group) => ({
            label: t(group.label),
            options: group.handlers.map(({ base, label }) => {
              return { value: base, label: `${t(label)} ${handlerName(base, form.direction)}` }
            }),
          }))}
          optionRender={({ label, value }) => {
            const missing = !defined.includes(handlerName(String(value), form.direction))
            return (
              <span className={missing ? 'quiet' : ''}>
                {label}
                {missing && t('（脚本中没有）')}
              </span>
            )
          }}
        />
      </div>
      <MessageField bench={bench} />
      <div className="flex at-end gap-8">
        <May needs={saveDraft}>
          <SaveCase disabled={problem !== undefined || busy} taken={takenNames} onSave={onSaveCase} />
        </May>
        <Button icon={<PlayCircleOutlined />} loading={busy} disabled={problem !== undefined} onClick={onRun}>
          {t('执行')}
        </Button>
      </div>
    </div>
  )
}

/** The message itself: bytes from a device, JSON from the platform. */
function MessageField({ bench: { form, input, problem: found, change } }: { bench: TestBench }) {
  const id = useId()
  const up = form.direction === ScriptDirection.up
  const hex = up ? readHex(input) : undefined
  const problem = input.trim() === '' ? undefined : found
  return (
    <div className="column shrink gap-6">
      <label className="softer flex between" htmlFor={id}>
        {up ? t('输入（十六进制）') : t('输入（JSON）')}
        {hex?.ok && <span className="meta">{t('{count, number} 字节', { count: hex.bytes })}</span>}
      </label>
      <Input.TextArea
        id={id}
        className="mono"
        autoSize={{ minRows: 4, maxRows: 10 }}
        spellCheck={false}
        placeholder={up ? t('01 00 2A 01 F4 01，可带 0x、空格、逗号') : '{"method":"control","params":{}}'}
        value={input}
        aria-invalid={problem !== undefined}
        {...(problem !== undefined && { status: 'error' as const, 'aria-describedby': `${id}-problem` })}
        onChange={(event) => change({ input: event.target.value })}
      />
      {problem !== undefined && (
        <div id={`${id}-problem`} className="meta tone-error anywhere" role="alert">
          {problem}
          {up && (
            <button
              type="button"
              className="plain-button inline-link tone-processing nowrap"
              onClick={() => change({ input: textToHex(input) })}
            >
              {t('按文本转为十六进制')}
            </button>
          )}
        </div>
      )}
    </div>
  )
}

interface SaveCaseProps {
  disabled: boolean
  taken: readonly string[]
  onSave: (name: string) => void
}

function SaveCase({ disabled, taken, onSave }: SaveCaseProps) {
  const [open, setOpen] = useState(false)
  const [name, setName] = useState('')
  const wanted = name.trim()
  const save = () => {
    if (wanted === '') return
    onSave(wanted)
    setName('')
    setOpen(false)
  }
  return (
    <Popover
      trigger="click"
      open={open}
      onOpenChange={setOpen}
      content={
        <Space.Compact>
          <Input
            autoFocus
            maxLength={64}
            placeholder={t('用例名称')}
            aria-label={t('用例名称')}
            value={name}
            onChange={(event) => setName(event.target.value)}
            onPressEnter={save}
          />
          <Button disabled={wanted === ''} onClick={save}>
            {taken.includes(wanted) ? t('覆盖') : t('保存')}
          </Button>
        </Space.Compact>
      }
    >
      <Button type="text" icon={<SaveOutlined />} disabled={disabled}>
        {t('存为用例')}
      </Button>
    </Popover>
  )
}
