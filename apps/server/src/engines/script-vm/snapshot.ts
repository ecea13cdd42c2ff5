/**
 * The linear memory of a WebAssembly instance, kept after the script was loaded and put back before every call. So each
 * call starts from the same bytes (nothing of an earlier call survives) without paying for a new context and parser run.
 */

export interface Span {
  from: number
  to: number
}

/** Static data next to the stack may be zero too; it is copied, only the bulk of the stack is left out. */
const margin = 128 * 1024
const smallestStack = 1024 * 1024

/** In an instance that ran nothing yet, the longest run of zeros is its unused stack: whatever a call leaves there is dead. */
export function findStack(memory: WebAssembly.Memory): Span {
  const words = new Uint32Array(memory.buffer, 0, endOfUse(memory) >>> 2)
  let best: Span = { from: 0, to: 0 }
  let from = -1
  for (let at = 0; at < words.length; at++) {
    if (words[at] === 0) {
      if (from < 0) from = at
    } else if (from >= 0) {
      if (at - from > best.to - best.from) best = { from, to: at }
      from = -1
    }
  }
  const stack = { from: best.from * 4 + margin, to: best.to * 4 }
  return stack.to - stack.from < smallestStack ? { from: 0, to: 0 } : stack
}

const chunk = 4096
const zeros = Buffer.alloc(chunk)

/** The allocator marks the end of what it handed out with a header that is not zero, so all that counts lies before. */
function endOfUse(memory: WebAssembly.Memory): number {
  let end = memory.buffer.byteLength
  while (end > 0 && zeros.equals(Buffer.from(memory.buffer, end - chunk, chunk))) end -= chunk
  return end
}

export function takeSnapshot(memory: WebAssembly.Memory, stack: Span): () => void {
  const bytes = new Uint8Array(memory.buffer)
  const low = bytes.slice(0, stack.from)
  const high = bytes.slice(stack.to, Math.max(stack.to, endOfUse(memory)))
  return () => {
    const now = new Uint8Array(memory.buffer)
    now.set(low, 0)
    now.set(high, stack.to)
  }
}
