/**
 * A trigger that is rendered before the code of what it opens is loaded. That code then adopts the same element, so
 * that neither the focus nor a press in progress is lost.
 */
import {
  type ComponentProps,
  cloneElement,
  type ReactElement,
  type Ref,
  useCallback,
  useLayoutEffect,
  useRef,
  useState,
} from "react";

type TriggerAttributes = Pick<ComponentProps<"button">, "id" | "aria-controls" | "aria-describedby"> & Handlers;

const HANDLERS = [
  "onPointerEnter",
  "onPointerMove",
  "onPointerLeave",
  "onPointerDown",
  "onKeyDown",
  "onFocus",
  "onBlur",
  "onClick",
] as const;

type Handlers = { [Name in (typeof HANDLERS)[number]]?: ComponentProps<"button">[Name] };

/** Extra attributes and handlers, in addition to its own. */
type Extra = Omit<ComponentProps<"button">, "ref"> & { "data-state"?: string };

export interface RemoteTrigger {
  /** Null until it is mounted. */
  element: HTMLElement | null;
  /** Receives the attributes and handlers from the loaded code. */
  wire: (wired: TriggerAttributes) => void;
}

/**
 * Returns the trigger to render, and the handle for `WiredTrigger`. `trigger` must accept a ref and the properties of a
 * button.
 */
export function useRemoteTrigger(trigger: ReactElement, extra: Extra): { drawn: ReactElement; remote: RemoteTrigger } {
  const ownProps = trigger.props as Extra & { ref?: Ref<HTMLElement> };
  const [element, setElement] = useState<HTMLElement | null>(null);
  const [attributes, setAttributes] = useState<Omit<TriggerAttributes, keyof Handlers>>({});
  const handlers = useRef<Handlers>({});
  const ownRef = ownProps.ref;
  const ref = useCallback(
    (node: HTMLElement | null) => {
      setElement(node);
      return put(ownRef, node);
    },
    [ownRef],
  );
  const wire = useCallback((wired: TriggerAttributes) => {
    handlers.current = wired;
    setAttributes((before) => {
      const { id, "aria-controls": controls, "aria-describedby": describedBy } = wired;
      const same = before.id === id && before["aria-controls"] === controls && before["aria-describedby"] === describedBy;
      return same ? before : definedAttributes({ id, "aria-controls": controls, "aria-describedby": describedBy });
    });
  }, []);
  const composed: Record<string, unknown> = {};
  for (const name of HANDLERS) {
    composed[name] = (event: never) => {
      for (const handle of [ownProps[name], extra[name], handlers.current[name]] as (((event: never) => void) | undefined)[]) {
        handle?.(event);
      }
    };
  }
  return { drawn: cloneElement(trigger, { ...extra, ...attributes, ...composed, ref } as object), remote: { element, wire } };
}

interface WiredTriggerProps extends TriggerAttributes {
  remote: RemoteTrigger;
  ref?: Ref<HTMLElement>;
}

/** Used as the trigger of the library (`asChild`); renders nothing. */
export function WiredTrigger({ remote, ref, ...wired }: WiredTriggerProps) {
  const { element, wire } = remote;
  useLayoutEffect(() => wire(wired));
  useLayoutEffect(() => () => wire({}), [wire]);
  useLayoutEffect(() => put(ref, element) ?? (() => put(ref, null)), [ref, element]);
  return null;
}

function put(ref: Ref<HTMLElement> | undefined, element: HTMLElement | null): (() => void) | undefined {
  if (typeof ref === "function") return ref(element) ?? undefined;
  if (ref) ref.current = element;
  return undefined;
}

/** Without undefined values, which would override the trigger's own. */
function definedAttributes(attributes: Record<string, string | undefined>): Omit<TriggerAttributes, keyof Handlers> {
  return Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined));
}
