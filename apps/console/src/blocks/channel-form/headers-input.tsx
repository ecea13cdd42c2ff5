import { DeleteOutlined, PlusOutlined } from '@ant-design/icons'
import { Button, Form, Input } from 'antd'

const maxHeaders = 20

/** Rows of name and value under `headers` of the form. */
export function HeadersInput() {
  return (
    <Form.Item label="请求头">
      <Form.List name="headers">
        {(rows, { add, remove }) => (
          <div className="column gap-8">
            {rows.map((row, index) => (
              <div className="headers-row" key={row.key}>
                <Form.Item
                  name={[row.name, 'key']}
                  rules={[{ required: true, whitespace: true, message: '名称不能为空' }]}
                >
                  <Input aria-label={`请求头 ${index + 1} 名称`} placeholder="名称，如 Authorization" maxLength={64} />
                </Form.Item>
                <Form.Item name={[row.name, 'value']}>
                  <Input aria-label={`请求头 ${index + 1} 值`} placeholder="值" maxLength={1024} />
                </Form.Item>
                <Button
                  type="text"
                  icon={<DeleteOutlined />}
                  aria-label={`删除请求头 ${index + 1}`}
                  onClick={() => remove(row.name)}
                />
              </div>
            ))}
            {rows.length < maxHeaders && (
              <Button type="dashed" block icon={<PlusOutlined />} onClick={() => add({ key: '', value: '' })}>
                添加请求头
              </Button>
            )}
          </div>
        )}
      </Form.List>
    </Form.Item>
  )
}
