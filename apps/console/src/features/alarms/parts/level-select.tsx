import { Select } from 'antd'
import { AlarmLevelMark } from '#blocks/alarm-level.tsx'
import { levelOptions } from '../labels.ts'
import { levelsText, readLevels } from '../level-filter.ts'

interface LevelSelectProps {
  id?: string
  /** As the URL holds them: `5,4`. */
  value: string | undefined
  onChange: (value: string | undefined) => void
}

/** Several levels at once. */
export const LevelSelect = ({ id, value, onChange }: LevelSelectProps) => (
  <Select<number[]>
    {...(id && { id })}
    mode="multiple"
    allowClear
    maxTagCount="responsive"
    placeholder="全部"
    style={{ width: '100%' }}
    value={readLevels(value) ?? []}
    onChange={(levels) => onChange(levelsText(levels.toSorted((one, other) => other - one)))}
    options={levelOptions}
    optionRender={({ value: level }) => <AlarmLevelMark level={Number(level)} />}
  />
)
