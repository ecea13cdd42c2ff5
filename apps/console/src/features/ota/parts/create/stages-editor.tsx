import { DeleteOutlined, PlusOutlined } from '@ant-design/icons'
import { type OtaStage, otaLimits } from '@ithings/contract/features/ota/task.ts'
import { t } from '@ithings/contract/text.ts'
import { Button, InputNumber, Switch } from 'antd'
import { useId } from 'react'
import { withIndex } from '#kit/with-index.ts'
import { usualStages } from './task-draft.ts'

interface StagesEditorProps {
  value: readonly OtaStage[]
  onChange: (stages: OtaStage[]) => void
}

const single: OtaStage = { percent: 100, successPercent: 0, failPercent: 20 }

/** A new stage stands halfway between its neighbours, so that the row is right at once. */
export function withStage(stages: readonly OtaStage[]): OtaStage[] {
  const last = stages.at(-1) ?? single
  const before = stages.at(-2)?.percent ?? 0
  const percent = Number(((before + last.percent) / 2).toFixed(2))
  return [...stages.slice(0, -1), { ...last, percent }, last]
}

interface PercentProps {
  label: string
  value: number
  min: number
  precision?: number
  disabled?: boolean
  onChange: (value: number) => void
}

const Percent = ({ label, value, min, precision, disabled = false, onChange }: PercentProps) => (
  <div className="stage-field column">
    <span className="meta">{label}</span>
    <InputNumber
      style={{ width: 120 }}
      aria-label={label}
      min={min}
      max={100}
      {...(precision !== undefined && { precision })}
      value={value}
      suffix="%"
      disabled={disabled}
      onChange={(next) => onChange(next ?? 0)}
    />
  </div>
)

interface StageRowProps {
  stage: OtaStage
  index: number
  /** How many there are. */
  count: number
  onChange: (patch: Partial<OtaStage>) => void
  onDelete: () => void
}

function StageRow({ stage, index, count, onChange, onDelete }: StageRowProps) {
  const last = index === count - 1
  const staged = count > 1
  return (
    <li className="stage-row gap-16 grid pad-8-12 boxed">
      <span className="stage-title bold">{staged ? t('阶段 {index}', { index: index + 1 }) : t('全部')}</span>
      <Percent
        label={t('累计比例')}
        min={0.01}
        value={stage.percent}
        disabled={last}
        onChange={(percent) => onChange({ percent })}
      />
      {staged && last && <span className="meta">{t('最后一个阶段')}</span>}
      {staged && !last && (
        <Percent
          label={t('成功率达到即进入下一阶段')}
          min={0}
          precision={0}
          value={stage.successPercent}
          onChange={(successPercent) => onChange({ successPercent })}
        />
      )}
      <Percent
        label={t('失败率达到即停止，0 不停止')}
        min={0}
        precision={0}
        value={stage.failPercent}
        onChange={(failPercent) => onChange({ failPercent })}
      />
      {staged && (
        <Button
          type="text"
          icon={<DeleteOutlined />}
          aria-label={t('删除阶段 {index}', { index: index + 1 })}
          disabled={last || count <= 2}
          onClick={onDelete}
        />
      )}
    </li>
  )
}

/** Staged roll-out: how many, when the next begins, when everything stops. */
export function StagesEditor({ value, onChange }: StagesEditorProps) {
  const id = useId()
  const staged = value.length > 1
  const rows = value.length > 0 ? value : [single]
  return (
    <div className="column top gap-12">
      <label className="inline-row gap-8" htmlFor={id}>
        <Switch
          id={id}
          checked={staged}
          onChange={(on) => onChange(on ? usualStages.map((stage) => ({ ...stage })) : [single])}
        />
        {t('分阶段推送')}
      </label>
      <ol className="bare-list column wide gap-8">
        {withIndex(rows).map(({ no, item }) => (
          <StageRow
            key={no}
            stage={item}
            index={no}
            count={rows.length}
            onChange={(patch) => onChange(rows.map((stage, at) => (at === no ? { ...stage, ...patch } : stage)))}
            onDelete={() => onChange(rows.filter((_, at) => at !== no))}
          />
        ))}
      </ol>
      {staged && (
        <Button
          type="dashed"
          icon={<PlusOutlined />}
          disabled={rows.length >= otaLimits.stages}
          onClick={() => onChange(withStage(rows))}
        >
          {t('添加阶段')}
        </Button>
      )}
    </div>
  )
}
