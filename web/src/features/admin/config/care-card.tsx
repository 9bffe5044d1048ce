/** Backups of the server, and a check of everything that it needs. */
import { BackupsPart } from "./care/backups-part";
import { DoctorPart } from "./care/doctor-part";

export function CareCard() {
  return (
    <div className="flex flex-col gap-10">
      <BackupsPart />
      <DoctorPart />
    </div>
  );
}
