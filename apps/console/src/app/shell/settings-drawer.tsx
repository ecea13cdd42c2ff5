import { type Language, t } from '@ithings/contract/text.ts'
import { Drawer, Segmented } from 'antd'
import type { ReactNode } from 'react'
import { useLanguageChoice } from '#api/use-language-choice.ts'
import { pageSizes, usePreferences } from '#kit/preferences.tsx'
import { languages } from '#language/language.ts'

function Row({ label, note, children }: { label: string; note: string; children: ReactNode }) {
  return (
    <div className="setting-row">
      <div className="medium below-8">{label}</div>
      {children}
      <div className="meta">{note}</div>
    </div>
  )
}

/** Preferences of this browser; every choice works at once, there is nothing to save. */
export function SettingsDrawer(opened: { open: boolean; onClose: () => void }) {
  const { theme, density, pageSize, formLayout, set } = usePreferences()
  const { language, choose } = useLanguageChoice()
  return (
    <Drawer {...opened} title={t('界面设置')} size={360}>
      <Row label={t('语言')} note={t('登录后，在其他浏览器里也使用这个语言')}>
        <Segmented
          block
          value={language}
          onChange={(value) => void choose(value)}
          options={Object.entries(languages).map(([value, label]) => ({ label, value: value as Language }))}
        />
      </Row>
      <Row label={t('主题')} note={t('跟随系统时，随操作系统的浅色或深色外观切换')}>
        <Segmented
          block
          value={theme}
          onChange={(value) => set({ theme: value })}
          options={[
            { label: t('浅色'), value: 'light' as const },
            { label: t('深色'), value: 'dark' as const },
            { label: t('跟随系统'), value: 'system' as const },
          ]}
        />
      </Row>
      <Row label={t('密度')} note={t('紧凑时表格行高 32，一屏显示更多')}>
        <Segmented
          block
          value={density}
          onChange={(value) => set({ density: value })}
          options={[
            { label: t('标准'), value: 'middle' as const },
            { label: t('紧凑'), value: 'small' as const },
          ]}
        />
      </Row>
      <Row label={t('每页条数')} note={t('列表打开时的每页条数')}>
        <Segmented block value={pageSize} onChange={(value) => set({ pageSize: value })} options={[...pageSizes]} />
      </Row>
      <Row label={t('表单布局')} note={t('水平：标签在输入框左侧；垂直：标签在上方。手机上总是垂直')}>
        <Segmented
          block
          value={formLayout}
          onChange={(value) => set({ formLayout: value })}
          options={[
            { label: t('水平'), value: 'horizontal' as const },
            { label: t('垂直'), value: 'vertical' as const },
          ]}
        />
      </Row>
    </Drawer>
  )
}
