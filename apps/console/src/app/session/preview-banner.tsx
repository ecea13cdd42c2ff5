import { Button } from 'antd'
import { usePreview } from '#api/use-preview.ts'
import { roleDetailPath } from '#features/roles/paths.ts'
import './preview-banner.css'

/** Stays in sight on every page, so that nobody takes the role's view for his own. */
export function PreviewBanner({ role, name }: { role: number; name: string }) {
  const { end } = usePreview()
  return (
    <aside className="preview-banner" aria-label="角色预览">
      <span>
        正在以角色「{name}」预览，
        <wbr />
        只能查看
      </span>
      <Button size="small" onClick={() => void end(roleDetailPath(role))}>
        结束预览
      </Button>
    </aside>
  )
}
