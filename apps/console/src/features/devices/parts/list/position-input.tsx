import { InputNumber } from 'antd'

interface Draft {
  longitude?: number | null
  latitude?: number | null
}

interface PositionInputProps {
  id?: string
  value?: Draft | undefined
  onChange?: (value: Draft | undefined) => void
  disabled?: boolean
}

/** Both or neither: a half one stays as it is, so that the form's rule can name what is missing. */
export function PositionInput({ id, value, onChange, disabled = false }: PositionInputProps) {
  const set = (change: Draft) => {
    const next = { ...value, ...change }
    onChange?.(next.longitude == null && next.latitude == null ? undefined : next)
  }
  return (
    <div className="position-input">
      <InputNumber
        id={id}
        aria-label="经度"
        prefix="经度"
        placeholder="-180 到 180"
        min={-180}
        max={180}
        controls={false}
        disabled={disabled}
        value={value?.longitude ?? null}
        onChange={(longitude) => set({ longitude })}
      />
      <InputNumber
        aria-label="纬度"
        prefix="纬度"
        placeholder="-90 到 90"
        min={-90}
        max={90}
        controls={false}
        disabled={disabled}
        value={value?.latitude ?? null}
        onChange={(latitude) => set({ latitude })}
      />
    </div>
  )
}

/** A rule for the form: half a position is none. */
export const wholePosition = {
  validator: (_rule: unknown, value: Draft | undefined) => {
    if ((value?.longitude == null) === (value?.latitude == null)) return Promise.resolve()
    return Promise.reject(new Error(value?.longitude == null ? '还缺经度' : '还缺纬度'))
  },
}
