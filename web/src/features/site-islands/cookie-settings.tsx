/** The choice of cookies, in a dialog. Without scripts, its link leads to the page of cookies. */
import { type FormEvent, useEffect, useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { type Consent, EVERYTHING, NOTHING, PURPOSES, readConsent, saveConsent } from "./consent";
import type { Mount } from "./contract";
import { draw } from "./draw";
import "./site-islands.css";
import { countVisit } from "./visit";

function CookieSettings({ link }: { link: HTMLElement }) {
  const { t } = useTranslation("site-islands");
  const [open, setOpen] = useState(false);
  const [saved, setSaved] = useState(false);

  useEffect(() => {
    const show = (event: MouseEvent) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
      event.preventDefault();
      setSaved(false);
      setOpen(true);
    };
    link.addEventListener("click", show);
    return () => link.removeEventListener("click", show);
  }, [link]);

  const choose = (consent: Consent) => {
    saveConsent(consent);
    countVisit();
    showOnPage(consent);
    setSaved(true);
  };

  return (
    <>
      {open && <Choices onChoose={choose} onClose={() => setOpen(false)} />}
      <p role="status" className="sr-only">
        {saved && t("cookies.saved")}
      </p>
    </>
  );
}

function Choices({ onChoose, onClose }: { onChoose: (consent: Consent) => void; onClose: () => void }) {
  const { t } = useTranslation(["site-islands", "common"]);
  const dialog = useRef<HTMLDialogElement>(null);
  const [consent, setConsent] = useState(readConsent);
  const id = useId();

  useEffect(() => dialog.current?.showModal(), []);

  // Closed by the browser first and unmounted afterwards, so that the focus returns to where it was.
  const close = () => dialog.current?.close();
  const choose = (chosen: Consent) => {
    onChoose(chosen);
    close();
  };
  const save = (event: FormEvent) => {
    event.preventDefault();
    choose(consent);
  };

  return (
    <dialog ref={dialog} className="island-dialog" aria-labelledby={id} onClose={onClose}>
      <form onSubmit={save}>
        <h2 id={id}>{t("cookies.title")}</h2>
        <p>{t("cookies.text")}</p>
        <label>
          <input type="checkbox" checked disabled />
          <span>
            <strong>{t("cookies.necessary.title")}</strong>
            {t("cookies.necessary.text")}
          </span>
        </label>
        {PURPOSES.map((purpose) => (
          <label key={purpose}>
            <input
              type="checkbox"
              name={purpose}
              checked={consent[purpose]}
              onChange={({ target }) => setConsent({ ...consent, [purpose]: target.checked })}
            />
            <span>
              <strong>{t(`cookies.${purpose}.title`)}</strong>
              {t(`cookies.${purpose}.text`)}
            </span>
          </label>
        ))}
        <div className="island-actions">
          {/* Equal in style, so that neither choice is favoured. */}
          <button type="button" className="button" onClick={() => choose(EVERYTHING)}>
            {t("cookies.all")}
          </button>
          <button type="button" className="button" onClick={() => choose(NOTHING)}>
            {t("cookies.none")}
          </button>
          <button type="submit" className="button button-primary">
            {t("cookies.save")}
          </button>
        </div>
        <button type="button" className="island-close" aria-label={t("common:actions.close")} onClick={close}>
          ×
        </button>
      </form>
    </dialog>
  );
}

/** Updates the form of the page of cookies, if that is the page below the dialog. */
function showOnPage(consent: Consent) {
  for (const purpose of PURPOSES) {
    const box = document.querySelector<HTMLInputElement>(`form[data-island=cookies-form] [name=${purpose}]`);
    if (box) box.checked = consent[purpose];
  }
}

export const mount: Mount = (link) =>
  draw(<CookieSettings link={link} />, document.body.appendChild(document.createElement("div")));
