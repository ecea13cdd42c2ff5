import { SoundOutlined } from '@ant-design/icons'
import { t } from '@ithings/contract/text.ts'
import { Switch } from 'antd'
import { useId } from 'react'
import { setSound, useSound } from '../sound.ts'

/** Remembered per browser; header and queue share it. */
export function SoundSwitch() {
  const id = useId()
  const on = useSound()
  return (
    <span className="inline-row softer gap-8">
      <SoundOutlined aria-hidden="true" />
      <label htmlFor={id}>{t('声音')}</label>
      <Switch id={id} size="small" checked={on} onChange={setSound} />
    </span>
  )
}
