/** The types of an edited transcript, as the API gives it. */
export type {
  Edit,
  EditEntry as StoredEdit,
  EditedSegment,
  EditList,
  EditOp,
  EditsSaved as EditAnswer,
  HandCue,
  NewText,
  OpenedTranscript as EditedTranscript,
  SegmentChange,
  SegmentRef,
  Speaker,
  Word,
} from "@/api";
