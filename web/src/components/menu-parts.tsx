/** The content of a menu; see menu.tsx. */
import { Check } from "lucide-react";
import { DropdownMenu as Radix } from "radix-ui";
import { Link } from "react-router";
import { cx } from "@/lib/class-names";
import type { MenuChoiceProps, MenuItemProps, MenuLinkProps, MenuProps } from "./menu";
import { type RemoteTrigger, WiredTrigger } from "./remote-trigger";

interface MenuContentProps extends Pick<MenuProps, "side" | "align" | "children"> {
  remote: RemoteTrigger;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

export function MenuSheet({ remote, open, onOpenChange, side = "bottom", align = "end", children }: MenuContentProps) {
  return (
    <Radix.Root modal={false} open={open} onOpenChange={onOpenChange}>
      <Radix.Trigger asChild>
        <WiredTrigger remote={remote} />
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          side={side}
          align={align}
          sideOffset={6}
          collisionPadding={8}
          // Makes a menu that is higher than the window scrollable by keyboard.
          tabIndex={0}
          className="z-50 max-h-(--radix-dropdown-menu-content-available-height) min-w-56 animate-rise overflow-y-auto rounded-lg border border-rule-strong bg-paper-raised p-1 shadow-sheet"
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

const ITEM =
  "flex min-h-9 items-center gap-2.5 rounded px-2.5 py-1.5 text-[0.9375rem] outline-none select-none data-highlighted:bg-paper-sunk data-disabled:opacity-55 pointer-coarse:min-h-11 [&_svg]:size-4 [&_svg]:shrink-0";

export function MenuItem({ onSelect, danger = false, disabled = false, children }: MenuItemProps) {
  return (
    <Radix.Item onSelect={onSelect} disabled={disabled} className={cx(ITEM, danger && "text-bad data-highlighted:bg-bad-wash")}>
      {children}
    </Radix.Item>
  );
}

export function MenuLink({ to, children }: MenuLinkProps) {
  return (
    <Radix.Item asChild className={ITEM}>
      <Link to={to}>{children}</Link>
    </Radix.Item>
  );
}

export function MenuChoice<Value extends string>({ label, value, options, onChange }: MenuChoiceProps<Value>) {
  return (
    <Radix.RadioGroup value={value} onValueChange={(next) => onChange(next as Value)}>
      <Radix.Label className="kicker px-2.5 pt-2 pb-1">{label}</Radix.Label>
      {options.map((option) => (
        <Radix.RadioItem
          key={option.value}
          value={option.value}
          className={cx(ITEM, "pl-8")}
          onSelect={(event) => event.preventDefault()}
        >
          <Radix.ItemIndicator className="-ml-5.5 w-3">
            <Check aria-hidden="true" className="text-accent" />
          </Radix.ItemIndicator>
          {option.label}
        </Radix.RadioItem>
      ))}
    </Radix.RadioGroup>
  );
}

export function MenuSeparator() {
  return <Radix.Separator className="-mx-1 my-1 h-px bg-rule" />;
}
