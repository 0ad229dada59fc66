/**
 * Runs the sandbox for people: plays a story while it is told in the terminal and shown on the page, then stays up so that
 * they can go on with verbs and buttons, or ends when that was asked for.
 */
import { act } from './acts.ts';
import { type Chronicle, openChronicle } from './chronicle.ts';
import { type Letters, openLetters } from './letters.ts';
import { type PageServer, servePages } from './page/server.ts';
import { openPlay, type Play, storyStart } from './player.ts';
import { type Story, StoryFault } from './story.ts';
import { boardText } from './terminal/board.ts';
import { openTelling, type Screen, type Telling } from './terminal/telling.ts';
import type { VerbName } from './verbs.ts';
import { type StoryView, type View, viewOf } from './view.ts';
import type { SandboxWorld } from './world.ts';

export interface RunOptions {
  story: Story;
  /** Without waiting. */
  isFast: boolean;
  /** Ends after the story, its `after` part too. */
  isExiting: boolean;
  /** Of the page; 0 takes any. */
  port: number;
  /** What people type to speak to this sandbox, as `npm run sandbox -- --port 5000`. */
  command: string;
  screen: Screen;
}

export interface Run {
  /** The page. */
  url: string;
  /** Resolves when the sandbox has ended: true when the story ended as it should. */
  ended: Promise<boolean>;
  /** Ends it as soon as nothing is under way. */
  stop(): void;
}

/** Seconds of the story in a second on the wall: the main story's revert is there after some twenty. */
const watchingSpeed = 6;

/** Opens the page and begins the story. Throws PortTaken. */
export async function startRun(options: RunOptions): Promise<Run> {
  const run = new Running(options);
  await run.open();
  return { url: run.url, ended: run.play(), stop: () => run.stop() };
}

class Running {
  readonly #options: RunOptions;
  readonly #telling: Telling;
  readonly #letters: Letters = openLetters();
  readonly #chronicle: Chronicle;
  readonly #stopping = new AbortController();
  #story: StoryView;
  #pages: PageServer | null = null;
  #play: Play | null = null;
  #incidents: View['incidents'] = [];

  constructor(options: RunOptions) {
    const { name, about } = options.story;
    this.#options = options;
    this.#story = { name, about, phase: 'playing', fault: null };
    this.#telling = openTelling({
      screen: options.screen,
      linkTo: (repository, number) => `${this.url}/${repository}/pull/${number}`,
      now: () => performance.now(),
    });
    this.#chronicle = openChronicle(
      () => this.#world(),
      () => this.#play?.world.clock.now() ?? storyStart,
      (happening) => this.#telling.tell(happening),
    );
  }

  get url(): string {
    return this.#pages?.url ?? '';
  }

  async open(): Promise<void> {
    this.#pages = await servePages({
      port: this.#options.port,
      look: () => (this.#play === null ? null : { view: this.#view(), github: this.#play.world.github }),
      act: (verb, words) => this.#act(verb, words),
    });
  }

  stop(): void {
    this.#stopping.abort();
  }

  async play(): Promise<boolean> {
    const { story, isFast, isExiting } = this.#options;
    const telling = this.#telling;
    telling.print(`Stepback's sandbox plays "${story.name}": ${story.about}\nRead along at ${this.url}\n`);
    const play = await openPlay(story, {
      speed: isFast ? Number.POSITIVE_INFINITY : watchingSpeed,
      webUrl: this.url,
      say: (text) => this.#chronicle.say(text),
      onSettled: (world) => this.#settled(world),
    });
    this.#play = play;
    const isAsItShould = await this.#tellStory(play, isExiting);
    if (!isExiting && !this.#stopping.signal.aborted) {
      telling.print(this.#whatNow());
      play.conductor.setSpeed(watchingSpeed);
      await this.#untilStopped(play.conductor.keepGoing(this.#stopping.signal));
    }
    telling.rest();
    await this.#pages?.close();
    await play.world.close();
    return isAsItShould;
  }

  /** Plays it to its end; false when it did not come to that. */
  async #tellStory({ story, director }: Play, isExiting: boolean): Promise<boolean> {
    try {
      const ending = story.play(director).then(() => (isExiting ? story.after?.(director) : undefined));
      if (!(await this.#untilStopped(ending))) return false;
      this.#story = { ...this.#story, phase: 'over' };
      return true;
    } catch (problem) {
      if (!(problem instanceof StoryFault)) throw problem;
      this.#story = { ...this.#story, phase: 'fault', fault: problem.message };
      this.#telling.print(`\nThe story did not end as it should. ${problem.message}`);
      return false;
    } finally {
      this.#pages?.changed();
    }
  }

  /** False when it was stopped before the work was done. */
  async #untilStopped(work: Promise<unknown>): Promise<boolean> {
    const { signal } = this.#stopping;
    const stopped = new Promise<'stopped'>((resolve) => {
      if (signal.aborted) resolve('stopped');
      signal.addEventListener('abort', () => resolve('stopped'), { once: true });
    });
    // What is left of it ends with the world; nobody waits for it any more.
    work.catch(() => {});
    return (await Promise.race([work, stopped])) !== 'stopped';
  }

  async #settled(world: SandboxWorld): Promise<void> {
    if (this.#stopping.signal.aborted) return;
    // What cannot be read now is read the next time.
    this.#incidents = await world.loop.incidents().catch(() => this.#incidents);
    this.#chronicle.look(this.#incidents);
    this.#telling.show(() => this.#view());
    this.#pages?.changed();
  }

  #world(): SandboxWorld {
    if (this.#play === null) throw new Error('The world is not there yet.');
    return this.#play.world;
  }

  #view(): View {
    return viewOf(this.#world(), this.#story, this.#chronicle.happenings, this.#incidents, this.#letters);
  }

  #act(verb: VerbName, words: readonly string[]): string {
    if (verb === 'stop') {
      // The answer goes out first.
      setImmediate(() => this.stop());
      return 'The sandbox ends.';
    }
    if (verb === 'status') return boardText(this.#view());
    const said = act(this.#world(), verb, words);
    this.#chronicle.say(said);
    return said;
  }

  #whatNow(): string {
    const { command } = this.#options;
    const isOpen = this.#incidents.some((incident) => incident.phase === 'proposed');
    const merge = isOpen
      ? `Merge the revert on the page, or type in another terminal:\n  ${command} merge\n`
      : '';
    return `\n${merge}The page is ${this.url}. Other things to type:
  ${command} status
  ${command} push bad prod-3
  ${command} --help
Ctrl-C ends the sandbox.\n`;
  }
}
