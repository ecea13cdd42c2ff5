import { menuIcons } from '@ithings/contract/features/menus.ts'
import { Radio, Tooltip } from 'antd'
import { MenuGlyph } from '#blocks/menu-icon.tsx'
import { menuIconNames } from '../labels.ts'

export interface IconGalleryProps {
  id?: string
  value?: string
  onChange?: (icon: string) => void
}

/** The thirteen icons of spec 2, to be seen before they are chosen. */
export function IconGallery({ id, value, onChange }: IconGalleryProps) {
  return (
    <Radio.Group
      {...(id !== undefined && { id })}
      className="icon-gallery"
      value={value}
      onChange={(event) => onChange?.(String(event.target.value))}
    >
      {menuIcons.map((icon) => (
        <Tooltip key={icon} title={`${menuIconNames[icon]}（${icon}）`}>
          <Radio.Button value={icon} aria-label={menuIconNames[icon]}>
            <MenuGlyph name={icon} size={20} />
          </Radio.Button>
        </Tooltip>
      ))}
    </Radio.Group>
  )
}
