import { t } from '@ithings/contract/text.ts'
import { pointInput } from '@ithings/contract/wire.ts'
import { InputNumber } from 'antd'
import * as z from 'zod'
import type { InputProps } from '#kit/form/field.tsx'

interface Draft {
  longitude?: number | null
  latitude?: number | null
}

/** Both or neither: a half one stays as it is, so that the form's rule can name what is missing. */
export function PositionInput({
  id,
  value,
  onChange,
  disabled = false,
}: InputProps<Draft | undefined> & { disabled?: boolean }) {
  const set = (change: Draft) => {
    const next = { ...value, ...change }
    onChange?.(next.longitude == null && next.latitude == null ? undefined : next)
  }
  return (
    <div className="flex gap-8">
      <InputNumber
        id={id}
        className="grow"
        aria-label={t('经度')}
        prefix={t('经度')}
        placeholder={t('-180 到 180')}
        min={-180}
        max={180}
        controls={false}
        disabled={disabled}
        value={value?.longitude ?? null}
        onChange={(longitude) => set({ longitude })}
      />
      <InputNumber
        className="grow"
        aria-label={t('纬度')}
        prefix={t('纬度')}
        placeholder={t('-90 到 90')}
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

const isHalf = (value: unknown): boolean => {
  const { longitude, latitude } = (value ?? {}) as Draft
  return (longitude == null) !== (latitude == null)
}

/** The contract's point, with a plain word for half of one. */
export const positionField = z
  .unknown()
  .refine((value) => !isHalf(value), '经度和纬度要一起填写')
  .pipe(pointInput)
  .optional()
